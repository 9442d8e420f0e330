import { FRIENDS_MAX } from "@messageoh/contracts/limits";
import { openTestDatabase } from "@messageoh/service-kit/testing/datastores";
import type { Connection } from "mongoose";
import { createUserModel } from "../users/user.model.ts";
import { createBefriend, TooManyFriends } from "./befriend.ts";
import { createFriendshipModel } from "./friendship.model.ts";

let connection: Connection;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ connection, drop } = await openTestDatabase());
  await createFriendshipModel(connection).createIndexes();
});
afterAll(() => drop());

/** Creates the function of several instances of the service, which do not share their turns. */
const instances = (count: number) =>
  Array.from({ length: count }, () => createBefriend(createFriendshipModel(connection), createUserModel(connection)));

async function storeUsers(ids: readonly string[]): Promise<void> {
  await connection.collection("users").insertMany(ids.map((_id) => ({ _id, name_key: _id })) as never);
}

it("creates one friendship for simultaneous requests in both directions", async () => {
  const befriend = instances(2);
  const pairs = Array.from({ length: 15 }, (_, round) => [`ann-${round}`, `bob-${round}`] as const);
  await storeUsers(pairs.flat());
  for (const [ann, bob] of pairs) {
    const rows = await Promise.all(befriend.flatMap((one) => [one(ann, bob), one(bob, ann)]));
    expect(new Set(rows.map((row) => row?._id)).size).toBe(1);
  }
  expect(await connection.collection("friendships").countDocuments()).toBe(15);
});

it("gives threads ids whose beginnings are random, so that new threads are on all shards", async () => {
  const [befriend] = instances(1);
  const friends = Array.from({ length: 20 }, (_, index) => `friend-${index}`);
  await storeUsers(["popular", ...friends]);
  const rows = await Promise.all(friends.map((friend) => befriend?.("popular", friend)));
  expect(new Set(rows.map((row) => row?._id.slice(0, 2))).size).toBeGreaterThan(10);
  for (const row of rows) expect(row?._id).toMatch(/^[0-9a-f]{24}$/);
});

it("begins no friendship with an account that is deleted at the same moment", async () => {
  const [befriend] = instances(1);
  await storeUsers(["leaving", "staying"]);
  await connection
    .collection<{ _id: string }>("users")
    .updateOne({ _id: "leaving" }, { $set: { deleted_at: new Date() } });
  expect(await befriend?.("staying", "leaving")).toBeNull();
  expect(await befriend?.("leaving", "staying")).toBeNull();
  expect(await connection.collection("friendships").countDocuments({ user_ids: "leaving" })).toBe(0);
});

it("delays no user whom somebody adds after a friend whose turn does not come", async () => {
  const [befriend] = instances(1);
  await storeUsers(["eager", "locked", "patient", "third"]);
  // A transaction under way makes all others of this user fail and begin again.
  const session = await connection.startSession();
  session.startTransaction();
  await connection.collection("users").updateOne({ name_key: "locked" }, { $set: { name: "Locked" } }, { session });
  const ended: string[] = [];
  const calls = [
    ["eager", "locked"],
    ["eager", "patient"],
    ["third", "patient"],
  ].map(([adder = "", friend = ""]) => befriend?.(adder, friend).finally(() => ended.push(`${adder} ${friend}`)));
  await Promise.race(calls).catch(() => undefined);
  await session.abortTransaction();
  await session.endSession();
  await Promise.allSettled(calls);
  expect(ended).toEqual(["third patient", "eager locked", "eager patient"]);
});

it("lets 100 calls of a user wait and refuses the others", async () => {
  const [befriend] = instances(1);
  const settled = await Promise.allSettled(
    Array.from({ length: 103 }, (_, index) => befriend?.("busy", `nobody-${index}`)),
  );
  const refused = settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused).toEqual([expect.objectContaining({ status: 429 }), expect.objectContaining({ status: 429 })]);
});

it("keeps both users of a pair within their number of friends, in several instances", async () => {
  const befriend = instances(3);
  const strangers = Array.from({ length: 9 }, (_, index) => `stranger-${index}`);
  await storeUsers(["full", ...strangers]);
  const rows = Array.from({ length: FRIENDS_MAX - 2 }, (_, index) => {
    const user_ids = ["full", `somebody-${index}`];
    return { _id: `full-${index}`, pair_key: user_ids.join(":"), user_ids, created_at: new Date() };
  });
  await connection.collection("friendships").insertMany(rows as never);
  const calls = strangers.flatMap((one, index) => {
    const instance = befriend[index % befriend.length];
    return index % 2 === 0 ? instance?.("full", one) : instance?.(one, "full");
  });
  const settled = await Promise.allSettled(calls);
  const reasons = settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(reasons).toHaveLength(strangers.length - 2);
  for (const reason of reasons) expect(reason).toEqual(new TooManyFriends("full"));
  expect(await connection.collection("friendships").countDocuments({ user_ids: "full" })).toBe(FRIENDS_MAX);
});
