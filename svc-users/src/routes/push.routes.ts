import { requestPushes } from "@messageoh/contracts/internal/users";
import { getPush, subscribePush, unsubscribePush } from "@messageoh/contracts/push";
import { badRequest, notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import type { Deps } from "./deps.ts";

const NOT_ALLOWED = "This push service is not allowed";

/** Mounts the calls about push notifications. */
export function pushRoutes(routes: Routes, { push }: Deps): void {
  routes.signedIn(getPush, ({ session }) => push.find(session.user.id, session.session_id));

  routes.signedIn(subscribePush, async ({ session, body }) => {
    if (!push.isOn) throw notFound("This server sends no push notifications");
    const { endpoint, keys, shows_text } = body;
    const row = { endpoint, ...keys, shows_text };
    // One text for all reasons, which would otherwise describe the internal network.
    if (!(await push.isAllowed(row))) throw badRequest(NOT_ALLOWED);
    return push.subscribe(session.user.id, session.session_id, row);
  });

  routes.signedIn(unsubscribePush, ({ session }) => push.unsubscribe(session.user.id, session.session_id));

  routes.internal(requestPushes, async ({ body }) => {
    await push.send(body.pushes);
    return { is_on: push.isOn };
  });
}
