import type { Stack } from "@messageoh/stack/stack";
import { Account } from "../../client/account.ts";
import { atRate } from "../../client/steadyRate.ts";
import { storeThread } from "../../flood/crowd.ts";

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

/**
 * Creates a user with friends, and stores messages.
 * @param messages number of messages in the thread with the first friend, as "message number N"
 */
export async function seedCrowd({ url, mongoUrl }: Stack, friends: number, messages: number): Promise<Crowd> {
  const user = await Account.register(url, "Bench");
  const made: Account[] = [];
  while (made.length < friends) {
    const labels = Array.from({ length: 10 }, (_, index) => `Friend ${made.length + index}`);
    made.push(...(await Promise.all(labels.map((label) => Account.register(url, label)))));
  }
  for (const other of made) await user.befriend(other);
  const [friend] = made as [Account];
  const thread_id = await user.befriend(friend);
  await storeThread(mongoUrl, messages, thread_id, user.id, friend.id, (n) => `message number ${n}`);
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
