import { randomBytes } from "node:crypto";
import * as contract from "@messageoh/contracts/invites";
import { notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { refuseUnlessOpen } from "../friends/visibility.ts";
import { toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

/** 128 random bits: nobody finds a link by guessing. */
const newToken = () => randomBytes(16).toString("base64url");

/** Mounts the calls of the links with which users invite others to add them. */
export function inviteRoutes(routes: Routes, { users, friendships }: Deps): void {
  routes.signedIn(contract.getInvite, async ({ session: { user } }) => {
    const withoutLink = { _id: user.id, invite_token: { $exists: false }, deleted_at: { $exists: false } };
    await users.updateOne(withoutLink, { $set: { invite_token: newToken() } });
    const row = await users.findById(user.id, { invite_token: 1 }).lean<UserRow>();
    if (!row?.invite_token) throw notFound("No such user");
    return { token: row.invite_token };
  });

  routes.signedIn(contract.renewInvite, async ({ session: { user } }) => {
    const token = newToken();
    await users.updateOne({ _id: user.id, deleted_at: { $exists: false } }, { $set: { invite_token: token } });
    return { token };
  });

  routes.signedIn(contract.findInviter, async ({ session: { user }, params: { token } }) => {
    const row = await users.findOne({ invite_token: token }).lean<UserRow>();
    if (!row || row.deleted_at) throw notFound("This link is not valid any more. Ask for a new one");
    if (row._id !== user.id) await refuseUnlessOpen(friendships, user.id, row);
    return toUser(row);
  });
}
