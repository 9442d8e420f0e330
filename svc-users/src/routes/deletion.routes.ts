import { finishDeletion, listDeletions } from "@messageoh/contracts/internal/users";
import { deleteAccount } from "@messageoh/contracts/users";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { forbidden } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { createDeletions } from "../deletion/deletions.ts";
import { clearCache } from "../sessions/sessionCookie.ts";
import type { Deps } from "./deps.ts";

const WRONG_PASSWORD = "Your password is wrong";

/** Mounts the calls that delete an account: of the user, and of svc-messages, which replaces the texts. */
export function deletionRoutes(routes: Routes, deps: Deps): void {
  const { checkPassword } = deps;
  const deletions = createDeletions(deps);

  routes.signedIn(deleteAccount, async ({ session, body, requestId, ctx, logger, isGone }) => {
    const { id } = session.user;
    const attempt = { password: body.password, address: clientAddress(ctx.req), isGone };
    const row = await checkPassword.ofSession(session, attempt);
    // Not 401, because the session is valid and the browser must not sign out.
    if (!row || !(await deletions.begin(row, body.texts, requestId))) throw forbidden(WRONG_PASSWORD);
    clearCache(ctx);
    logger.info({ user_id: id, texts: body.texts }, "account deleted");
    return {};
  });

  routes.internal(listDeletions, async ({ requestId, logger }) => ({
    deletions: (await deletions.list(requestId, logger)).map(({ _id, deletion }) => ({
      user_id: _id,
      texts: deletion?.texts ?? "keep",
      is_open: deletion?.is_open ?? false,
    })),
  }));

  routes.internal(finishDeletion, async ({ params }) => {
    await deletions.finish(params.user_id);
    return {};
  });
}
