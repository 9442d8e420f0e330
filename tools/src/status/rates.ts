import type { PartState } from "./look.ts";

/** What is shown of a part: counters have become rates. */
export type Row = Omit<PartState, "messagesIn" | "messagesOut"> & {
  inPerSecond: number | null;
  outPerSecond: number | null;
};

/** Turns two looks into rates. A part that was restarted in between counts from zero again. */
export function withRates(before: readonly PartState[], now: readonly PartState[], seconds: number): Row[] {
  return now.map(({ messagesIn, messagesOut, ...part }) => {
    const earlier = before.find(({ name, pid }) => name === part.name && pid === part.pid);
    const rate = (from: number | null | undefined, to: number | null) =>
      to === null || from === null || from === undefined ? null : Math.round(((to - from) / seconds) * 10) / 10;
    return {
      ...part,
      inPerSecond: rate(earlier?.messagesIn, messagesIn),
      outPerSecond: rate(earlier?.messagesOut, messagesOut),
    };
  });
}
