import { randomUUID } from "node:crypto";
import { FIRST_PAGE_MESSAGES, FRIENDS_MAX, TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import { createLogger } from "@messageoh/service-kit/logger";
import { connectMongo } from "@messageoh/service-kit/mongo";
import { createMessages, messageKey } from "../../svc-messages/src/messages/message.model.ts";
import { newMessageId } from "../../svc-messages/src/messages/messageId.ts";
import { createFriendshipModel, pairKey } from "../../svc-users/src/friends/friendship.model.ts";
import { createUserModel, newId } from "../../svc-users/src/users/user.model.ts";
import type { Account } from "../client/account.ts";
import { workThrough } from "../fuzz/findings.ts";

const AT_ONCE = 4;
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
    await workThrough(threads, AT_ONCE, async ({ _id: thread_id, user_ids }) => {
      const [sending_user_id, recipient_user_id] = user_ids;
      const rows = Array.from({ length: FIRST_PAGE_MESSAGES }, (_, index) => ({
        _id: messageKey(thread_id, index + 1),
        id: newMessageId(),
        client_id: randomUUID(),
        thread_id,
        seq: index + 1,
        ...{ sending_user_id, recipient_user_id, text, timestamp: created_at },
      }));
      await messages.insertMany(rows);
    });
  }
  await Promise.all([usersDb.close(), messagesDb.close()]);
}
