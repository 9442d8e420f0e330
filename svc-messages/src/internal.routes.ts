import * as contract from "@messageoh/contracts/messages";
import type { Deps, MessageRoutes } from "./deps.ts";

/** Mounts the calls with which svc-realtime reads messages. The gateway does not expose them. */
export function internalRoutes(routes: MessageRoutes, { listBetween, listMissed }: Deps): void {
  routes.internal(contract.listBetween, async ({ body }) => ({ messages: await listBetween(body) }));
  routes.internal(contract.listMissedMessages, async ({ body }) => ({ messages: await listMissed(body) }));
}
