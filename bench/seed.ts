import { randomBytes } from "node:crypto";
import { io } from "socket.io-client";

/** A user with many friends and one long thread. */
export interface Crowd {
  userId: string;
  cookie: string;
  friendId: string;
}

interface Registered {
  id: string;
  cookie: string;
}

/**
 * Registers a user, makes friends and fills the thread with the first of them, over the product's own calls.
 * @param messages texts are "message number N", from 1 on
 */
export async function seedCrowd(url: string, friends: number, messages: number): Promise<Crowd> {
  const user = await register(url, "Bench");
  const ids: string[] = [];
  for (let made = 0; made < friends; made += 10) {
    const batch = await Promise.all(Array.from({ length: 10 }, (_, index) => register(url, `Friend ${made + index}`)));
    for (const friend of batch) ids.push(friend.id);
  }
  const threads: string[] = [];
  for (const friend_id of ids) {
    const { thread_id } = await post(url, "/add_friend", { user_id: user.id, friend_id }, user.cookie);
    threads.push(thread_id as string);
  }
  const friendId = ids[0] as string;
  const socket = io(url, { extraHeaders: { cookie: user.cookie }, transports: ["websocket"] });
  const route = { thread_id: threads[0], sending_user_id: user.id, recipient_user_id: friendId };
  for (let sent = 0; sent < messages; sent += 500) {
    const acks = Array.from({ length: Math.min(500, messages - sent) }, (_, index) =>
      socket.emitWithAck("send_message", { ...route, text: `message number ${sent + index + 1}` }),
    );
    await Promise.all(acks);
  }
  socket.disconnect();
  return { userId: user.id, cookie: user.cookie, friendId };
}

async function register(url: string, name: string): Promise<Registered> {
  const body = { name: `${name} ${randomBytes(5).toString("hex")}`, password: "bench password", avatar_id: "seal-id" };
  const answer = await post(url, "/users", body);
  return { id: answer.id as string, cookie: answer.cookie };
}

async function post(
  url: string,
  path: string,
  body: object,
  cookie = "",
): Promise<Record<string, unknown> & { cookie: string }> {
  const response = await fetch(`${url}/messageoh${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const answer = (await response.json()) as Record<string, unknown>;
  return { ...answer, cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
}
