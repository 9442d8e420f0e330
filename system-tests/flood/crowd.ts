import { randomUUID } from "node:crypto";
import { FIRST_PAGE_MESSAGES, FRIENDS_MAX, TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import { inParts } from "@messageoh/service-kit/pauses";
import { createPosition } from "@messageoh/service-kit/position";
import pLimit from "p-limit";
import { createMessages, messageKey } from "../../svc-messages/src/messages/message.model.ts";
import { createFriendshipModel, pairKey } from "../../svc-users/src/friends/friendship.model.ts";
import { nameParts } from "../../svc-users/src/users/nameSearch.ts";
import { createUserModel, newId } from "../../svc-users/src/users/user.model.ts";
import { Account } from "../client/account.ts";

const AT_ONCE = 4;
const USERS = 100_000;
const MONOLOGUES_PER_USER = 8;
const MONOLOGUE_MESSAGES = 4_000;
/** Returns ids of messages, as svc-messages does. */
const { nextId } = createPosition("messages").begin();
/** The largest and the smallest text. */
export const TEXTS = { long: "文".repeat(TEXT_MAX_CHARACTERS), short: "文" };

/**
 * Stores the maximum number of friends minus one for each user, with a full first page of messages in each thread.
 * @param owners the users, each with the text of all messages
 */
export async function storeCrowd(mongoUrl: string, owners: readonly { account: Account; text: string }[]) {
  const logger = createLogger("flood", "silent");
  const usersDb = await connectMongo(mongoUrl, "users", logger);
  const messagesDb = await connectMongo(mongoUrl, "messages", logger);
  const [users, friendships] = [createUserModel(usersDb), createFriendshipModel(usersDb)];
  const messages = await createMessages(messagesDb);
  const created_at = new Date();
  const friends = Array.from({ length: FRIENDS_MAX - 1 }, newId);
  await users.insertMany(
    friends.map((_id) => ({ _id, name: _id, name_key: _id, password_hash: "none", avatar_id: "fox-id", created_at })),
  );
  for (const { account, text } of owners) {
    const threads = friends.map((friend) => ({
      _id: newId(),
      pair_key: pairKey(account.id, friend),
      user_ids: [account.id, friend].sort() as [string, string],
      created_at,
    }));
    await friendships.insertMany(threads);
    await pLimit(AT_ONCE).map(threads, async ({ _id: thread_id, user_ids: [sender, recipient] }) => {
      await messages.insertMany(rowsOf(FIRST_PAGE_MESSAGES, thread_id, sender, recipient, () => text));
    });
  }
  await Promise.all([usersDb.close(), messagesDb.close()]);
}

/** Stores users without friends. */
export async function storeUsers(mongoUrl: string): Promise<void> {
  const usersDb = await connectMongo(mongoUrl, "users", createLogger("flood", "silent"));
  const users = Array.from({ length: USERS }, newId);
  await pLimit(AT_ONCE).map(inParts(users, 5_000), async (ids) => {
    const fields = { password_hash: "none", avatar_id: "fox-id", created_at: new Date() };
    await createUserModel(usersDb).collection.insertMany(
      ids.map((id) => ({ _id: id as never, name: id, name_key: id, name_parts: nameParts(id), ...fields })),
    );
  });
  await usersDb.close();
}

/** Stores long monologues of users, each in several threads with new friends. */
export async function storeMonologues(mongoUrl: string, owners: readonly Account[]): Promise<void> {
  const messagesDb = await connectMongo(mongoUrl, "messages", createLogger("flood", "silent"));
  const messages = await createMessages(messagesDb);
  await pLimit(AT_ONCE).map(owners, async (owner) => {
    const friends = await Promise.all(
      Array.from({ length: MONOLOGUES_PER_USER }, () => Account.register(owner.url, "Silent")),
    );
    for (const friend of friends) {
      const thread_id = await owner.befriend(friend);
      await messages.insertMany(rowsOf(MONOLOGUE_MESSAGES, thread_id, owner.id, friend.id, () => TEXTS.short));
    }
  });
  await messagesDb.close();
}

/** Stores messages of a new thread. */
export async function storeThread(mongoUrl: string, ...thread: Parameters<typeof rowsOf>): Promise<void> {
  const messagesDb = await connectMongo(mongoUrl, "messages", createLogger("flood", "silent"));
  await (await createMessages(messagesDb)).insertMany(rowsOf(...thread));
  await messagesDb.close();
}

const rowsOf = (count: number, thread_id: string, sender: string, recipient: string, textOf: (n: number) => string) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ _id: messageKey(thread_id, index + 1), thread_id, seq: index + 1, text: textOf(index + 1) },
    ...{ id: nextId(), client_id: randomUUID(), timestamp: new Date() },
    ...{ sending_user_id: sender, recipient_user_id: recipient },
  }));
