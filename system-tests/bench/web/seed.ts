import type { ClientPayload } from "@messageoh/contracts/realtime";
import { Account, type ChatSocket, withRetries } from "../../client/account.ts";
import { atRate } from "../../client/steadyRate.ts";

/** A user with many friends and one long thread. */
export interface Crowd {
  userId: string;
  cookie: string;
  /** The friend of the long thread. */
  friendId: string;
  /** Number of messages in the thread. */
  messages: number;
  /** Sends `count` messages from this friend at a rate; resolves when the last one is stored. */
  receive: (count: number, perSecond: number) => Promise<void>;
  close: () => void;
}

/** Messages in flight while seeding. */
const BATCH = 200;

/**
 * Creates a user with friends and messages through the product's API.
 * @param messages number of messages in the thread with the first friend, as "message number N"
 */
export async function seedCrowd(url: string, friends: number, messages: number): Promise<Crowd> {
  const user = await Account.register(url, "Bench");
  const made: Account[] = [];
  while (made.length < friends) {
    const labels = Array.from({ length: 10 }, (_, index) => `Friend ${made.length + index}`);
    made.push(...(await Promise.all(labels.map((label) => Account.register(url, label)))));
  }
  for (const other of made) await user.befriend(other);
  const [friend] = made as [Account];
  const thread_id = await user.befriend(friend);
  const mine = user.connect();
  const there = { thread_id, sending_user_id: user.id, recipient_user_id: friend.id };
  await send(mine, messages, (n) => ({ ...there, text: `message number ${n}` }));
  mine.disconnect();
  const theirs = friend.connect();
  const back = { thread_id, sending_user_id: friend.id, recipient_user_id: user.id };
  return {
    userId: user.id,
    cookie: user.cookie,
    friendId: friend.id,
    messages,
    async receive(count, perSecond) {
      const acks: Promise<unknown>[] = [];
      await atRate({ rate: perSecond, isOver: () => acks.length === count }, () => {
        const message = { ...back, text: `received message ${acks.length}, some words long, as messages are` };
        acks.push(theirs.emitWithAck("send_message", message));
      });
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
