import { TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import fc from "fast-check";
import { findLinks } from "../../mfe-chat/src/thread/text/findLinks.ts";
import type { Findings } from "./findings.ts";

const MAX_MS = 10;
const ATTEMPTS = 3;
const PARTS = [
  ..."a1.-_~/=&#?%+:,;!'\"()<>[]{}|\\^`$*@ \n文é。，«👩\u0301",
  ..."com a. a.com a.com/ x@a.com http: http:// https://a mailto: localhost:".split(" "),
  "a.".repeat(70),
];
const part = fc.constantFrom(...PARTS);
/** Texts of the maximum length that repeat a few parts, which is what makes a search for links slow. */
const text = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.array(part, { minLength: 1, maxLength: 5 }), fc.nat(TEXT_MAX_CHARACTERS))
  .map(([start, unit, plain]) => start.join("") + "a".repeat(plain % 200) + unit.join("").repeat(TEXT_MAX_CHARACTERS))
  .map((long) => long.slice(0, TEXT_MAX_CHARACTERS));

/** Searches links in texts as a friend's page does, and measures the CPU time of each search. */
export function searchLinks(count: number, seed: number, findings: Findings): void {
  let longest = 0;
  for (const each of ["a.".repeat(2_000), "a/".repeat(2_000), ...fc.sample(text, { numRuns: count, seed })]) {
    const ms = Math.min(...Array.from({ length: ATTEMPTS }, () => cpuMs(() => findLinks(each))));
    longest = Math.max(longest, ms);
    if (ms > MAX_MS) findings.fault(`links of a text took more than ${MAX_MS} ms`, `${ms} ms: ${each}`);
  }
  findings.counts.set(`texts searched for links, in ${longest.toFixed(1)} ms at most`, count);
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
