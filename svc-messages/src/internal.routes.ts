import { BUSY } from "@messageoh/contracts/errorTexts";
import * as contract from "@messageoh/contracts/messages";
import { unavailable } from "@messageoh/service-kit/errors";
import type { Logger } from "@messageoh/service-kit/logger";
import type { Deps, MessageRoutes } from "./deps.ts";
import { traceStoring } from "./tracing.ts";

const NOT_FRIENDS = "You can only write to your friends";

/** What svc-realtime asks. The gateway routes none of it. */
export function internalRoutes(routes: MessageRoutes, { history, members, moveMarker, write }: Deps): void {
  routes.internal(contract.storeMessages, ({ body: { messages }, logger }) =>
    traceStoring(messages, () => store(messages, logger)),
  );

  async function store(messages: readonly contract.NewMessage[], logger: Logger) {
    // Either all of a batch is tried or none of it, so that a message never overtakes one before it.
    const allowed = await Promise.all(messages.map(isBetweenFriends)).catch((cause) => {
      throw unavailable(BUSY, cause);
    });
    const accepted = messages.filter((_, index) => allowed[index]);
    const stored =
      accepted.length === 0 ? [] : await write(accepted).catch((cause) => Promise.reject(unavailable(BUSY, cause)));
    const storedOf = new Map(accepted.map((message, index) => [message, stored[index]]));
    return {
      results: messages.map((message) => {
        const { row, json } = storedOf.get(message) ?? {};
        const fields = { message_request_id: message.request_id, message_id: row?.id, seq: row?.seq };
        logger.debug(fields, row ? "stored" : "refused");
        return json ?? { error: NOT_FRIENDS };
      }),
    };
  }

  routes.internal(contract.moveMarker, async ({ body }) =>
    moveMarker(await members.threadOf(body.thread_id, body.user_id), body, body.request_id),
  );

  routes.internal(contract.listRecentMessages, async ({ body }) => ({
    messages: await history.recent(body),
  }));

  /** Only the two members of a thread write into it, and only to each other. */
  async function isBetweenFriends(message: contract.NewMessage): Promise<boolean> {
    const thread = await members.of(message.thread_id);
    const pair = [message.sending_user_id, message.recipient_user_id];
    return pair[0] !== pair[1] && pair.every((userId) => thread?.user_ids.includes(userId));
  }
}
