export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads a value until `check` returns `true` for it, and returns it.
 * @throws Error with the last value if the check does not hold within `withinMs`
 */
export async function eventually<T>(read: () => T, check: (value: T) => boolean, withinMs = 20_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = read();
    if (check(value)) return value;
    if (Date.now() > deadline) throw new Error(`Timed out. Last value: ${JSON.stringify(value)}`);
    await pause(10);
  }
}
