import { USER_LIST_MAX } from "@messageoh/contracts/limits";
import * as contract from "@messageoh/contracts/users";
import { clientAddress } from "@messageoh/service-kit/clientAddress";
import { conflict, HttpError, notFound } from "@messageoh/service-kit/errors";
import { escapeRegExp, isDuplicateKey, throughDeadlocks } from "@messageoh/service-kit/mongo";
import { checkPassword } from "./checkPassword.ts";
import type { Deps, UserRoutes } from "./deps.ts";
import { otherMember } from "./friendship.model.ts";
import { startSession } from "./sessionCookie.ts";
import { nameKey, newId, toUser, type UserRow } from "./user.model.ts";

const NAME_TAKEN = "This username is already taken";
const WRONG_LOGIN = "Wrong username or password";
const SEARCH_LIMIT = 50;
const USER_FIELDS = { name: 1, avatar_id: 1 } as const;

export function userRoutes(
  routes: UserRoutes,
  { users, friendships, sessions, passwords, limits, events }: Deps,
): void {
  routes.open(contract.register, async ({ body, ctx }) => {
    const address = clientAddress(ctx.req);
    passwords.refuseIfFull(address);
    await limits.registrations.take(address);
    const name_key = nameKey(body.name);
    // Asked before the costly hash; the unique index below decides between two who ask at once.
    if (await users.exists({ name_key })) throw conflict(NAME_TAKEN);
    const row: UserRow = {
      _id: newId(),
      name: body.name,
      name_key,
      password_hash: await passwords.hash(body.password, address),
      avatar_id: body.avatar_id,
      created_at: new Date(),
    };
    await throughDeadlocks(() => users.collection.insertOne(row as never)).catch((error) => {
      throw isDuplicateKey(error) ? conflict(NAME_TAKEN) : error;
    });
    await startSession(sessions, ctx, row._id);
    return { id: row._id };
  });

  routes.open(contract.logIn, async ({ body, ctx }) => {
    const address = clientAddress(ctx.req);
    passwords.refuseIfFull(address);
    await limits.logins.take(address);
    const findUser = () => users.findOne({ name_key: nameKey(body.name) }).lean<UserRow>();
    const row = await checkPassword({ passwords, limits }, { ...body, address, findUser });
    if (!row) throw new HttpError(401, WRONG_LOGIN);
    await startSession(sessions, ctx, row._id);
    return toUser(row);
  });

  routes.signedIn(contract.getUser, ({ session }) => session.user);

  routes.signedIn(contract.changeAvatar, async ({ session, body, requestId }) => {
    const userId = session.user.id;
    const row = await users
      .findByIdAndUpdate(userId, { avatar_id: body.avatar_id }, { returnDocument: "after" })
      .lean<UserRow>();
    if (!row) throw notFound();
    const rows = await friendships.find({ user_ids: userId }, { user_ids: 1 }).lean<{ user_ids: [string, string] }[]>();
    events.userUpdated(toUser(row), [userId, ...rows.map((friendship) => otherMember(friendship, userId))], requestId);
    return toUser(row);
  });

  routes.signedIn(contract.listUsers, async ({ session, query }) => {
    await limits.searches.take(session.user.id);
    const filter = query.search === undefined ? {} : { name_key: new RegExp(escapeRegExp(nameKey(query.search))) };
    const limit = query.limit ?? (query.search === undefined ? USER_LIST_MAX : SEARCH_LIMIT);
    const rows = await users.find(filter, USER_FIELDS).sort({ name_key: 1 }).limit(limit).lean<UserRow[]>();
    return rows.map(toUser);
  });
}
