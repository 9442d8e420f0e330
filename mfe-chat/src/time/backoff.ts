const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** The wait after so many failures in a row: 1 s growing to 30 s, of which a random half is left out, so that not all come back at once. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return full * (0.5 + random() / 2);
}
