import * as contract from "@messageoh/contracts/internal/messages";
import type { Routes } from "@messageoh/service-kit/routes";
import type { Deps } from "./deps.ts";

/** Mounts the calls with which svc-realtime and svc-media read messages. The gateway does not expose them. */
export function internalRoutes(routes: Routes, deps: Deps): void {
  routes.internal(contract.listBetween, async ({ body }) => ({ messages: await deps.listBetween(body) }));
  routes.internal(contract.listMissedMessages, async ({ body }) => ({ messages: await deps.listMissed(body) }));
  routes.internal(contract.listAttached, async ({ body }) => {
    const seqs = await deps.listAttached(body.media);
    return { attached: [...seqs.keys()], seqs: Object.fromEntries(seqs) };
  });
}
