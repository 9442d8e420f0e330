import * as contract from "@messageoh/contracts/messages";
import type { Deps, MessageRoutes } from "./deps.ts";
import { currentProcessId } from "./messages/messageId.ts";

const clock = () => ({ now: Date.now(), process: currentProcessId() });

/** Mounts the endpoints that svc-realtime calls. The gateway does not expose them. */
export function internalRoutes(routes: MessageRoutes, { history, moveBatch, store }: Deps): void {
  routes.internal(contract.storeMessages, async ({ body }) => ({
    results: await store(body.messages),
    ...clock(),
  }));

  routes.internal(contract.moveMarkers, async ({ body }) => ({ results: await moveBatch(body.markers) }));

  routes.internal(contract.listBetween, async ({ body }) => ({ messages: await history.between(body) }));

  routes.internal(contract.listRecentMessages, async ({ body }) => ({
    messages: await history.recent(body),
    ...clock(),
  }));
}
