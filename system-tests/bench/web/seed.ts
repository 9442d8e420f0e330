import { reactToMessage } from "@messageoh/contracts/changes";
import type { ClientPayload } from "@messageoh/contracts/realtime";
import { Account, type ChatSocket, withRetries } from "../../client/account.ts";

/** A user with many friends, one long thread and some shorter ones. */
export interface Crowd {
  userId: string;
  cookie: string;
  /** The friend of the long thread. */
  friendId: string;
  /** Sends `count` messages from this friend at a rate; resolves when the last one is stored. */
  receive: (count: number, perSecond: number) => Promise<void>;
  /** Names of the friends with shorter threads. */
  talkers: string[];
  close: () => void;
}

/** Few enough to be visible at the top of the friend list. */
const TALKERS = 8;
export const MESSAGES_PER_TALKER = 250;
/** Newest messages of each shorter thread that have a reaction. */
const REACTIONS = 125;
/** Messages in flight while seeding. */
const BATCH = 200;

/**
 * Creates a user with friends and messages through the product's API.
 * @param messages number of messages; most of them are in the thread with the first friend, as "message number N"
 */
export async function seedCrowd(url: string, friends: number, messages: number): Promise<Crowd> {
  const user = await Account.register(url, "Bench");
  const made: Account[] = [];
  while (made.length < friends) {
    const labels = Array.from({ length: 10 }, (_, index) => `Friend ${made.length + index}`);
    made.push(...(await Promise.all(labels.map((label) => Account.register(url, label)))));
  }
  const threads: string[] = [];
  for (const friend of made) threads.push(await user.befriend(friend));
  const route = (index: number, from: Account, to: Account) => ({
    thread_id: threads[index] as string,
    sending_user_id: from.id,
    recipient_user_id: to.id,
  });
  const mine = user.connect();
  for (const [index, talker] of made.slice(0, TALKERS + 1).entries()) {
    const count = index === 0 ? messages - TALKERS * MESSAGES_PER_TALKER : MESSAGES_PER_TALKER;
    const label = index === 0 ? "message number" : `thread ${index} message`;
    await send(mine, count, (n) => ({ ...route(index, user, talker), text: `${label} ${n}` }));
  }
  mine.disconnect();
  await Promise.all(threads.slice(1, TALKERS + 1).map((thread_id) => react(user, thread_id)));

  const [friend] = made as [Account];
  const theirs = friend.connect();
  const back = route(0, friend, user);
  return {
    userId: user.id,
    cookie: user.cookie,
    friendId: friend.id,
    talkers: made.slice(1, TALKERS + 1).map(({ name }) => name),
    async receive(count, perSecond) {
      const acks: Promise<unknown>[] = [];
      const beganAt = Date.now();
      while (acks.length < count) {
        const due = Math.min(count, Math.ceil(((Date.now() - beganAt) / 1000) * perSecond));
        while (acks.length < due) {
          const message = { ...back, text: `received message ${acks.length}, some words long, as messages are` };
          acks.push(theirs.emitWithAck("send_message", message));
        }
        await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond));
      }
      await Promise.all(acks);
    },
    close: () => theirs.disconnect(),
  };
}

/** Sends messages in batches; the last message is alone, so that it stays the newest if others are retried. */
async function send(
  socket: ChatSocket,
  count: number,
  message: (n: number) => ClientPayload<"send_message">,
): Promise<void> {
  const store = (n: number) =>
    withRetries(async () => {
      const ack = await socket.emitWithAck("send_message", message(n));
      if ("error" in ack) throw new Error(`svc-messages rejected a message: ${ack.error}`);
    });
  for (let sent = 0; sent < count - 1; sent += BATCH) {
    const size = Math.min(BATCH, count - 1 - sent);
    await Promise.all(Array.from({ length: size }, (_, index) => store(sent + index + 1)));
  }
  await store(count);
}

async function react({ id, call }: Account, thread_id: string): Promise<void> {
  for (let seq = MESSAGES_PER_TALKER; seq > MESSAGES_PER_TALKER - REACTIONS; seq -= 1) {
    const emoji = seq % 2 === 0 ? "👍" : "❤️";
    await withRetries(() => call(reactToMessage, { params: { user_id: id, thread_id, seq }, body: { emoji } }));
  }
}
