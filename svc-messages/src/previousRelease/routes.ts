import type { NewMessage } from "@messageoh/contracts/internal/messages";
import type { Message } from "@messageoh/contracts/messages";
import * as contract from "@messageoh/contracts/previousRelease/messages";
import type { Routes } from "@messageoh/service-kit/routes";
import type * as v from "valibot";
import type { Deps } from "../deps.ts";
import { type Messages, toMessage } from "../messages/message.model.ts";

const RECENT_MAX_MESSAGES = 300;
const RETRY = { retry: true } as const;

/** Mounts the calls of svc-realtime of the previous release, which has no streams. */
export function previousReleaseRoutes(routes: Routes, { allMessages, storeReceipt, position, store }: Deps): void {
  const clock = () => ({ now: Date.now(), process: position.name });

  routes.internal(contract.storeMessages, async ({ body }) => {
    const results = new Map<NewMessage, contract.StoreResult>();
    async function storeInOrder(own: readonly NewMessage[]): Promise<void> {
      for (const message of own) {
        const result = await store(message);
        // The later messages of the thread are to be retried as well.
        if ("retry" in result) return;
        results.set(message, "message" in result ? { message: result.message } : result);
      }
    }
    await Promise.all([...Map.groupBy(body.messages, ({ thread_id }) => thread_id).values()].map(storeInOrder));
    return { results: body.messages.map((message) => results.get(message) ?? RETRY), ...clock() };
  });

  routes.internal(contract.moveMarkers, async ({ body }) => ({
    results: await Promise.all(body.markers.map(storeReceipt)),
  }));

  routes.internal(contract.listRecentMessages, async ({ body }) => ({
    messages: await listRecent(allMessages, body),
    ...clock(),
  }));
}

const firstIdAt = (time: string) => Date.parse(time).toString(16).padStart(12, "0");

/**
 * Resolves with the messages that were stored for users in a period, oldest first, at most {@link RECENT_MAX_MESSAGES}.
 */
async function listRecent(
  messages: Messages,
  { user_ids, since, until, known = {} }: v.InferOutput<typeof contract.listRecentMessages.body>,
): Promise<Message[]> {
  const id = { $gte: firstIdAt(since), ...(until && { $lt: firstIdAt(until) }) };
  const counts = await messages
    .aggregate<{ _id: string; count: number }>([
      { $match: { recipient_user_id: { $in: user_ids }, id } },
      { $group: { _id: "$recipient_user_id", count: { $sum: 1 } } },
    ])
    .toArray();
  const of = counts.filter(({ _id, count }) => count > (known[_id] ?? 0)).map(({ _id }) => _id);
  if (of.length === 0) return [];
  const filter = { recipient_user_id: { $in: of }, id };
  const rows = await messages.find(filter).sort({ id: 1 }).limit(RECENT_MAX_MESSAGES).toArray();
  return rows.map((row) => toMessage(row, false));
}
