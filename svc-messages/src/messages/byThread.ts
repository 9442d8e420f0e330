import type { mongo } from "mongoose";

type Filter = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the rows do not matter
type Method = (first: any, ...rest: any[]) => any;

const byFilter = (filter: Filter = {}): Filter[] => [filter];

/** Returns the filters of a call, by method. */
const FILTERS = {
  find: byFilter,
  findOne: byFilter,
  findOneAndUpdate: byFilter,
  countDocuments: byFilter,
  updateOne: byFilter,
  updateMany: byFilter,
  deleteOne: byFilter,
  deleteMany: byFilter,
  aggregate: ([first]: { $match?: Filter }[]) => [first?.$match ?? {}],
  bulkWrite: (writes: { updateOne?: { filter: Filter } }[]) => writes.map(({ updateOne }) => updateOne?.filter ?? {}),
} as const;

/**
 * Returns the collection with methods that throw an error unless each filter names its threads, by `thread_id` or by the
 * beginning of `_id`. Any other query would read all shards, or all rows.
 */
export function byThread<Row extends mongo.BSON.Document>(collection: mongo.Collection<Row>): mongo.Collection<Row> {
  const checked = Object.create(collection) as mongo.Collection<Row>;
  for (const [name, filtersOf] of Object.entries(FILTERS)) {
    const run = (collection as unknown as Record<string, Method>)[name]?.bind(collection) as Method;
    const check: Method = (first, ...rest) => {
      if (!(filtersOf as Method)(first).every(namesThread)) throw new Error(`${name}: the filter names no thread`);
      return run(first, ...rest);
    };
    Object.assign(checked, { [name]: check });
  }
  return checked;
}

function namesThread({ $or, thread_id, _id }: Filter): boolean {
  if (Array.isArray($or)) return $or.length > 0 && $or.every(namesThread);
  return isBounded(thread_id) || isBounded(_id);
}

function isBounded(value: unknown): boolean {
  if (typeof value === "string") return true;
  const { $in, $gt, $gte, $lt, $lte } = (value ?? {}) as Filter;
  return Array.isArray($in) || (($gt ?? $gte) !== undefined && ($lt ?? $lte) !== undefined);
}
