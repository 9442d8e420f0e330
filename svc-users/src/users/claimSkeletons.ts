import { QUERY_MAX_MS } from "@messageoh/service-kit/mongo";
import type { mongo } from "mongoose";
import { nameSkeletons } from "./nameSkeletons.ts";
import type { UserModel, UserRow } from "./user.model.ts";

const BATCH = 1_000;

/**
 * Adds skeletons to users that were stored before skeletons existed, oldest first, and returns how many users still have
 * none. If two stored names look the same, the older account gets the skeletons, and both accounts keep working. It is
 * safe to repeat and to run in several instances at the same time.
 */
export async function claimSkeletons(users: UserModel): Promise<number> {
  let left = 0;
  let batch: mongo.AnyBulkWriteOperation<never>[] = [];
  async function write(): Promise<void> {
    if (batch.length === 0) return;
    const result = await users.collection
      .bulkWrite(batch as never, { ordered: false, maxTimeMS: QUERY_MAX_MS })
      .catch((error) => {
        if (!isOnlyDuplicates(error)) throw error;
        return error.result as mongo.BulkWriteResult;
      });
    left += batch.length - result.modifiedCount;
    batch = [];
  }
  const without = users
    .find({ name_skeletons: { $exists: false } }, { name: 1 })
    .sort({ _id: 1 })
    // Reads the whole collection once.
    .maxTimeMS(0)
    .lean<Pick<UserRow, "_id" | "name">[]>();
  for await (const { _id, name } of without.cursor()) {
    const filter = { _id, name_skeletons: { $exists: false } };
    batch.push({ updateOne: { filter, update: { $set: { name_skeletons: nameSkeletons(name) } } } } as never);
    if (batch.length === BATCH) await write();
  }
  await write();
  return left;
}

function isOnlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as { writeErrors?: { code?: number } | { code?: number }[] };
  const errors = [writeErrors ?? []].flat();
  return errors.length > 0 && errors.every(({ code }) => code === 11000);
}
