/** Runs a task as soon as a place is free, in the order of arrival, and returns its result. */
export type Places = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Creates places for tasks, for example calls that would otherwise queue in another service before calls of others.
 * @param max most tasks that run at the same time
 */
export function createPlaces(max: number): Places {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  return async (task) => {
    if (taken < max) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
