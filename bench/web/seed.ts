import { randomBytes } from "node:crypto";
import { io, type Socket } from "socket.io-client";

/** A user with many friends, one long thread and some shorter ones. */
export interface Crowd {
  userId: string;
  cookie: string;
  /** The friend of the long thread, who can write. */
  friendId: string;
  /** Sends `count` messages from this friend, `perSecond`; resolves when the last one is stored. */
  receive: (count: number, perSecond: number) => Promise<void>;
  /** Names of those friends with whom there are some messages. */
  talkers: string[];
  close: () => void;
}

interface Registered {
  id: string;
  name: string;
  cookie: string;
}

/** So few that all of them are in view: the list shows who wrote last first. */
const TALKERS = 8;
export const MESSAGES_PER_TALKER = 250;

/**
 * Registers a user, makes friends and messages over the product's own calls.
 * @param messages most of them in the thread with the first friend: "message number N", from 1 on
 */
export async function seedCrowd(url: string, friends: number, messages: number): Promise<Crowd> {
  const user = await register(url, "Bench");
  const made: Registered[] = [];
  while (made.length < friends) {
    const names = Array.from({ length: 10 }, (_, index) => `Friend ${made.length + index}`);
    made.push(...(await Promise.all(names.map((name) => register(url, name)))));
  }
  const threads: string[] = [];
  for (const { id } of made) {
    const { thread_id } = await post(url, "/add_friend", { user_id: user.id, friend_id: id }, user.cookie);
    threads.push(thread_id as string);
  }
  const mine = connect(url, user.cookie);
  const route = (index: number) => ({
    thread_id: threads[index],
    sending_user_id: user.id,
    recipient_user_id: made[index]?.id,
  });
  for (let talker = 1; talker <= TALKERS; talker += 1) {
    await send(mine, MESSAGES_PER_TALKER, (n) => ({ ...route(talker), text: `thread ${talker} message ${n}` }));
  }
  await send(mine, messages - TALKERS * MESSAGES_PER_TALKER, (n) => ({ ...route(0), text: `message number ${n}` }));
  mine.disconnect();

  const [friend] = made as [Registered];
  const theirs = connect(url, friend.cookie);
  const back = { thread_id: threads[0], sending_user_id: friend.id, recipient_user_id: user.id };
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

const connect = (url: string, cookie: string): Socket =>
  io(url, { extraHeaders: { cookie, origin: url }, transports: ["websocket"], forceNew: true });

async function send(socket: Socket, count: number, message: (n: number) => object): Promise<void> {
  for (let sent = 0; sent < count; sent += 500) {
    const acks = Array.from({ length: Math.min(500, count - sent) }, (_, index) =>
      socket.emitWithAck("send_message", message(sent + index + 1)),
    );
    for (const ack of await Promise.all(acks)) if (ack.error) throw new Error(`A message was refused: ${ack.error}`);
  }
}

async function register(url: string, name: string): Promise<Registered> {
  const body = { name: `${name} ${randomBytes(5).toString("hex")}`, password: "bench password", avatar_id: "seal-id" };
  const answer = await post(url, "/users", body);
  return { id: answer.id as string, name: body.name, cookie: answer.cookie };
}

async function post(
  url: string,
  path: string,
  body: object,
  cookie = "",
): Promise<Record<string, unknown> & { cookie: string }> {
  const response = await fetch(`${url}/messageoh${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, origin: url },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const answer = (await response.json()) as Record<string, unknown>;
  return { ...answer, cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
}
