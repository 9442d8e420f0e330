/**
 * Returns a function that runs tasks with a common key one after another, in the order of the calls. Tasks without a
 * common key run at the same time.
 */
export function createTurns() {
  /** The end of the last task of each key. */
  const last = new Map<string, Promise<unknown>>();

  return async <T>(keys: readonly string[], task: () => Promise<T>): Promise<T> => {
    const earlier = keys.map((key) => last.get(key));
    const result = Promise.all(earlier).then(task);
    const end = result.catch(() => {});
    for (const key of keys) last.set(key, end);
    try {
      return await result;
    } finally {
      for (const key of keys) if (last.get(key) === end) last.delete(key);
    }
  };
}
