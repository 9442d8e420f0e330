import { pause } from "./account.ts";

export interface SteadyRate {
  /** Times per second. */
  rate: number;
  isOver: () => boolean;
}

/** Calls `work` at a steady rate until `isOver`. */
export async function atRate({ rate, isOver }: SteadyRate, work: () => unknown): Promise<void> {
  for (let next = Date.now(); !isOver(); next += 1_000 / rate) {
    const wait = next - Date.now();
    if (wait > 0) await pause(wait);
    // After a stall of this process, the missed calls are left out.
    else next = Math.max(next, Date.now() - 1_000);
    work();
  }
}
