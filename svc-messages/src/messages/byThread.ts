import { FILTER_METHODS } from "@messageoh/service-kit/mongo";
import type { mongo } from "mongoose";

type Filter = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the rows do not matter
type Method = (...args: any[]) => any;

const isKeyed = ({ _id, $or }: Filter = {}): boolean => _id !== undefined || (Array.isArray($or) && $or.every(isKeyed));
/** Without it, MongoDB would also try the indexes that begin with `thread_id`. */
const BY_KEY = { hint: { _id: 1 } };

/**
 * Returns a collection whose shard key is `thread_id`, and whose keys begin with it. Its methods add the threads of a
 * filter by `_id` to the filter, so that MongoDB asks the shards of these threads only. They throw an error if a filter
 * names no thread.
 */
export function byThread<Row extends mongo.BSON.Document>(collection: mongo.Collection<Row>): mongo.Collection<Row> {
  const checked = Object.create(collection) as mongo.Collection<Row>;
  for (const [name, optionsAt] of Object.entries(FILTER_METHODS)) {
    const run = (collection as unknown as Record<string, Method>)[name]?.bind(collection) as Method;
    const checkedMethod: Method = (first, ...rest) => {
      const isPipeline = name === "aggregate";
      const filter = withThread(isPipeline ? first[0]?.$match : first);
      if (!filter) throw new Error(`${name}: the filter names no thread`);
      if (isKeyed(filter)) rest[optionsAt - 1] = { ...BY_KEY, ...rest[optionsAt - 1] };
      return run(isPipeline ? [{ $match: filter }, ...first.slice(1)] : filter, ...rest);
    };
    Object.assign(checked, { [name]: checkedMethod });
  }
  return checked;
}

/** Returns the filter with the threads that it concerns, or `undefined` if it could match rows of any thread. */
function withThread(filter: Filter = {}): Filter | undefined {
  const { $or, thread_id, _id } = filter;
  if (Array.isArray($or)) {
    const parts = $or.map(withThread);
    return parts.length > 0 && parts.every(Boolean) ? { ...filter, $or: parts } : undefined;
  }
  if (typeof thread_id === "string" || Array.isArray((thread_id as Filter | undefined)?.$in)) return filter;
  const threads = threadsOf(_id);
  if (!threads) return undefined;
  return { ...filter, thread_id: threads.length === 1 ? threads[0] : { $in: threads } };
}

/** Returns the threads of a condition on keys, or `undefined` if it has none, or an open range. */
function threadsOf(condition: unknown): string[] | undefined {
  if (typeof condition === "string") return [threadOf(condition)];
  const { $in, $gt, $gte = $gt, $lt, $lte = $lt } = (condition ?? {}) as Record<string, string> & { $in?: string[] };
  if ($in) return [...new Set($in.map(threadOf))];
  return $gte && $lte && threadOf($gte) === threadOf($lte) ? [threadOf($gte)] : undefined;
}

const threadOf = (key: string): string => key.slice(0, key.lastIndexOf(":"));
