/** Resolves after a time in milliseconds. It does not keep the process alive. */
export const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
