import type { mongo } from "mongoose";

type Filter = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the rows do not matter
type Method = (...args: any[]) => any;
type Narrow = (filter: Filter | undefined) => Filter;

const isKeyed = ({ _id, $or }: Filter = {}): boolean => _id !== undefined || (Array.isArray($or) && $or.every(isKeyed));
/** Without it, MongoDB would also try the indexes that begin with `thread_id`. */
const BY_KEY = { hint: { _id: 1 } };

/** Returns a method's arguments with a narrower filter. `at` is the position of its options. */
const withFilter =
  (at: number) =>
  (args: unknown[], narrow: Narrow): unknown[] => {
    const filter = narrow(args[0] as Filter);
    const rest = Array.from({ length: at - 1 }, (_, index) => args[index + 1]);
    return [filter, ...rest, isKeyed(filter) ? { ...BY_KEY, ...(args[at] as object) } : args[at]];
  };

/** Returns the arguments with narrower filters, by method. */
const ARGUMENTS = {
  find: withFilter(1),
  findOne: withFilter(1),
  countDocuments: withFilter(1),
  deleteOne: withFilter(1),
  deleteMany: withFilter(1),
  findOneAndUpdate: withFilter(2),
  updateOne: withFilter(2),
  updateMany: withFilter(2),
  aggregate: ([[first, ...stages], options]: [{ $match?: Filter }[], object?], narrow: Narrow) => {
    const $match = narrow(first?.$match);
    return [[{ $match }, ...stages], isKeyed($match) ? { ...BY_KEY, ...options } : options];
  },
} as const;

/**
 * Returns a collection whose shard key is `thread_id`, and whose keys begin with it. Its methods add the threads of a filter
 * by `_id` to the filter, so that MongoDB asks the shards of these threads only. They throw an error if a filter names no
 * thread.
 */
export function byThread<Row extends mongo.BSON.Document>(collection: mongo.Collection<Row>): mongo.Collection<Row> {
  const checked = Object.create(collection) as mongo.Collection<Row>;
  for (const [name, argumentsOf] of Object.entries(ARGUMENTS)) {
    const run = (collection as unknown as Record<string, Method>)[name]?.bind(collection) as Method;
    const narrow: Narrow = (filter) => {
      const narrowed = withThread(filter);
      if (!narrowed) throw new Error(`${name}: the filter names no thread`);
      return narrowed;
    };
    Object.assign(checked, { [name]: (...args: unknown[]) => run(...(argumentsOf as Method)(args, narrow)) });
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
