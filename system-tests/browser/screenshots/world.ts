import { ProtocolClient } from "../support/protocolClient.ts";
import { CONVERSATIONS, type Conversation, STRANGERS } from "./conversations.ts";

/** The time of every picture, so that two runs look the same. */
export const NOW = new Date("2026-05-14T15:20:00Z");

const DAY_MS = 24 * 3_600_000;

/** The users and their messages. */
export interface World {
  /** The user whose screens are shown. */
  me: ProtocolClient;
  /** A user without friends. */
  loner: ProtocolClient;
  friends: Map<string, ProtocolClient>;
  threadIds: Map<string, string>;
  /** The displayed time of each message by its text, because the server rejects times of other days. */
  times: Map<string, string>;
}

/** Creates users, friendships and messages through the gateway. */
export async function createWorld(baseUrl: string): Promise<World> {
  const me = await new ProtocolClient(baseUrl, "Maya").register("fox-id");
  const loner = await new ProtocolClient(baseUrl, "Robin").register("rabbit-id");
  const world: World = { me, loner, friends: new Map(), threadIds: new Map(), times: new Map() };
  for (const [name, avatar] of STRANGERS) await new ProtocolClient(baseUrl, name).register(avatar);
  for (const conversation of CONVERSATIONS) {
    const friend = await new ProtocolClient(baseUrl, conversation.name).register(conversation.avatar);
    world.friends.set(friend.name, friend);
    world.threadIds.set(friend.name, await me.befriend(friend));
    await talk(world, friend, conversation);
  }
  me.close();
  return world;
}

async function talk(world: World, friend: ProtocolClient, conversation: Conversation): Promise<void> {
  const { me, times } = world;
  const { lines, unread = 0, readByFriend = lines.length, deliveredToFriend = lines.length } = conversation;
  const thread_id = world.threadIds.get(friend.name);
  for (let at = 0; at < lines.length; ) {
    const from = lines[at]?.[2];
    const next = lines.findIndex((line, index) => index > at && line[2] !== from);
    const texts = lines.slice(at, next === -1 ? undefined : next).map(([, , , text]) => text);
    await (from === "me" ? me.say(friend, ...texts) : friend.say(me, ...texts));
    at += texts.length;
  }
  for (const [daysAgo, time, , text] of lines) times.set(text, momentOf(daysAgo, time));
  await markRead(me, thread_id, lines.length - unread);
  await markRead(friend, thread_id, readByFriend);
  const socket = friend.socket ?? (await friend.connect());
  const pair = { sending_user_id: friend.id, recipient_user_id: me.id };
  await socket.timeout(10_000).emitWithAck("join_room", pair);
  if (deliveredToFriend > readByFriend) {
    await socket.timeout(10_000).emitWithAck("message_delivered", { thread_id, seq: deliveredToFriend });
  }
  if (!conversation.isOnline) friend.close();
}

async function markRead(user: ProtocolClient, thread_id: string | undefined, seq: number): Promise<void> {
  if (seq > 0) await user.call("PUT", "/update_message_read", { thread_id, seq });
}

function momentOf(daysAgo: number, time: string): string {
  const day = new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return `${day}T${time}:00.000Z`;
}
