import { passwordWeakness } from "@messageoh/contracts/passwordWeakness";
import * as contract from "@messageoh/contracts/users";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { badRequest, conflict, forbidden, HttpError, notFound } from "@messageoh/service-kit/errors";
import { isDuplicateKey, QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import type { Routes } from "@messageoh/service-kit/routes";
import { signIn } from "../sessions/signIn.ts";
import { releaseNames, renamed } from "../users/heldNames.ts";
import { nameParts } from "../users/nameSearch.ts";
import { nameSkeletons } from "../users/nameSkeletons.ts";
import { isReserved } from "../users/reservedNames.ts";
import { nameKey, newId, toProfile, toUser, type UserRow } from "../users/user.model.ts";
import type { Deps } from "./deps.ts";

const NAME_TAKEN = "This username is already taken";
const WRONG_LOGIN = "Wrong username or password";
const SUSPENDED = "This account is suspended";

/** Mounts the calls of registration, sign-in and the own user. */
export function userRoutes(routes: Routes, { users, sessions, devices, passwords, checkPassword, events }: Deps): void {
  const upgradeHash = async (row: UserRow, password: string, address: string) => {
    const password_hash = await passwords.hash(password, address, () => false);
    // The filter keeps a password that was changed in the meantime.
    await users.updateOne({ _id: row._id, password_hash: row.password_hash }, { $set: { password_hash } });
  };

  routes.open(contract.register, async ({ body, ctx, requestId, isGone }) => {
    const address = clientAddress(ctx.req);
    passwords.refuseIfFull(address);
    const weakness = passwordWeakness(body.password, body.name);
    if (weakness) throw badRequest(weakness);
    const name_key = nameKey(body.name);
    const name_skeletons = nameSkeletons(body.name);
    await releaseNames(users, body.name);
    // This check avoids a needless hash. The unique indexes decide between concurrent registrations.
    const taken = await users.exists({ $or: [{ name_key }, { name_skeletons: { $in: name_skeletons } }] });
    if (taken || isReserved(body.name)) throw conflict(NAME_TAKEN);
    const row: UserRow = {
      _id: newId(),
      name: body.name,
      name_key,
      name_parts: nameParts(body.name),
      name_skeletons,
      password_hash: await passwords.hash(body.password, address, isGone),
      avatar_id: body.avatar_id,
      created_at: new Date(),
    };
    await users.collection.insertOne(row as never, { maxTimeMS: QUERY_MAX_MS }).catch((error) => {
      throw isDuplicateKey(error) ? conflict(NAME_TAKEN) : error;
    });
    await signIn({ users, sessions, devices, events }, ctx, row, requestId);
    return { id: row._id };
  });

  routes.open(contract.logIn, async ({ body, ctx, requestId, logger, isGone }) => {
    const address = clientAddress(ctx.req);
    passwords.refuseIfFull(address);
    const name_key = nameKey(body.name);
    const device = devices.find(ctx, name_key);
    const row = await checkPassword.ofLogIn({ ...body, address, device, logger, isGone });
    if (!row) throw new HttpError(401, WRONG_LOGIN);
    if (row.suspended_at) throw forbidden(SUSPENDED);
    if (!(await signIn({ users, sessions, devices, events }, ctx, row, requestId))) {
      throw new HttpError(401, WRONG_LOGIN);
    }
    if (passwords.isOutdated(row.password_hash)) {
      // The response does not wait for the new hash.
      upgradeHash(row, body.password, address).catch((err) => logger.warn({ err }, "password hash upgrade failed"));
    }
    return toUser(row);
  });

  routes.signedIn(contract.getUser, ({ session }) => session.user);

  routes.signedIn(contract.changeAvatar, async ({ session, body, requestId }) => {
    const row = await users
      .findOneAndUpdate(
        { _id: session.user.id, deleted_at: { $exists: false } },
        { avatar_id: body.avatar_id },
        { returnDocument: "after" },
      )
      .lean<UserRow>();
    if (!row) throw notFound();
    await events.userUpdated(row, requestId);
    return toUser(row);
  });

  routes.signedIn(contract.getProfile, async ({ session }) => {
    const row = await users.findById(session.user.id).lean<UserRow>();
    if (!row) throw notFound();
    return toProfile(row);
  });

  routes.signedIn(contract.changeName, async ({ session, body, ctx, requestId }) => {
    const before = await users.findById(session.user.id).lean<UserRow>();
    if (!before || before.deleted_at) throw notFound();
    if (before.name === body.name) return toUser(before);
    if (isReserved(body.name)) throw conflict(NAME_TAKEN);
    await releaseNames(users, body.name);
    const row = await users
      .findOneAndUpdate({ _id: before._id, name: before.name }, renamed(before, body.name), { returnDocument: "after" })
      .lean<UserRow>()
      .catch((error) => {
        throw isDuplicateKey(error) ? conflict(NAME_TAKEN) : error;
      });
    if (!row) throw conflict("Your name was changed at the same time in another place");
    // The token of the device is bound to the name.
    devices.remember(ctx, row.name_key);
    await events.userUpdated(row, requestId);
    return toUser(row);
  });
}
