/** The calls that run, by key, so that callers share them. A key whose call has ended uses no memory. */
export class RunningCalls<Result> extends Map<string, { result: Promise<Result>; startedAt: number }> {
  /**
   * Returns the result of the call of a key that runs, or of a new one. Throws what `start` throws itself, which is not
   * shared.
   * @param joinMs how long after its start a call is joined, in milliseconds (default: until it ends)
   */
  join(key: string, start: () => Promise<Result>, joinMs = Infinity): Promise<Result> {
    const running = this.get(key);
    if (running && performance.now() - running.startedAt < joinMs) return running.result;
    const started = {
      startedAt: performance.now(),
      result: start().finally(() => {
        if (this.get(key) === started) this.delete(key);
      }),
    };
    this.set(key, started);
    return started.result;
  }
}
