import { format, median, printTable, quantile } from "../figures.ts";
import type { Interaction } from "./interaction.ts";
import { PROFILES, type Visit } from "./loading.ts";

export type Site = "federated" | "one bundle";
export type LoadingSample = { site: Site; screen: string; profile: string; cache: "cold" | "warm" } & Visit;
type Condition = Omit<LoadingSample, keyof Visit | "site">;

/** Prints a row per screen, network and cache state. Returns the ratios that have targets. */
export function loadingReport(samples: LoadingSample[]): Record<string, number> {
  if (samples.length === 0) return {};
  const conditions = ["/login", "/home"].flatMap((screen) =>
    PROFILES.flatMap(({ name: profile }) => (["cold", "warm"] as const).map((cache) => ({ screen, profile, cache }))),
  );
  process.stdout.write("\nMedians of the federated front ends / of one bundle, and of the ratio in each round\n\n");
  printTable(
    ["", "requests", "JS KiB", "ratio", "LCP ms", "ratio", "accepts input after ms", "ratio"],
    conditions.map((condition) => {
      const pair = (figure: keyof Visit, digits = 0) =>
        `${format(median(valuesOf(samples, "federated", condition, figure)), digits)} / ${format(median(valuesOf(samples, "one bundle", condition, figure)), digits)}`;
      const ratio = (figure: keyof Visit) => format(ratioOf(samples, condition, figure), 2);
      return [
        `${condition.screen}, ${condition.profile}, ${condition.cache}`,
        pair("requests"),
        pair("jsKib", 1),
        condition.cache === "cold" ? ratio("jsKib") : "",
        pair("lcpMs"),
        ratio("lcpMs"),
        pair("acceptsMs"),
        ratio("acceptsMs"),
      ];
    }),
  );
  const login: Condition = { screen: "/login", profile: "4G", cache: "cold" };
  return {
    login_js_over_one_bundle: ratioOf(samples, login, "jsKib"),
    login_lcp_4g_over_one_bundle: ratioOf(samples, login, "lcpMs"),
    login_accepts_4g_over_one_bundle: ratioOf(samples, login, "acceptsMs"),
  };
}

/** Returns one figure of a site under a condition, in the order of the rounds. */
function valuesOf(samples: LoadingSample[], site: Site, wanted: Condition, figure: keyof Visit): number[] {
  const wantedKey = [site, wanted.screen, wanted.profile, wanted.cache].join();
  return samples
    .filter((sample) => [sample.site, sample.screen, sample.profile, sample.cache].join() === wantedKey)
    .map((sample) => sample[figure]);
}

// Ratios per round, because other load on the machine affects both sites of a round.
function ratioOf(samples: LoadingSample[], condition: Condition, figure: keyof Visit): number {
  const oneBundle = valuesOf(samples, "one bundle", condition, figure);
  return median(
    valuesOf(samples, "federated", condition, figure).map((value, round) => value / (oneBundle[round] as number)),
  );
}

/** Prints a row per interaction. Returns the figures that have targets. */
export function interactionReport(samples: Interaction[]): Record<string, number> {
  if (samples.length === 0) return {};
  const kinds: [name: string, times: keyof Interaction, longTasks: keyof Interaction][] = [
    ["typing, key to frame", "typingMs", "longTasksTyping"],
    ["typing while 100 messages/s arrive", "typingWhileReceivingMs", "longTasksReceiving"],
    ["frame to frame while receiving", "framesWhileReceivingMs", "longTasksReceiving"],
  ];
  const all = (what: keyof Interaction): number[] => samples.flatMap((sample) => sample[what]).sort((a, b) => a - b);
  process.stdout.write("\nWith 500 friends and 10,000 messages, in ms\n\n");
  printTable(
    ["", "p50", "p95", "longest", "tasks over 50 ms", "the longest"],
    kinds.map(([name, times, longTasks]) => {
      const [sorted, tasks] = [all(times), all(longTasks)];
      const figures = [quantile(sorted, 0.5), quantile(sorted, 0.95), quantile(sorted, 1)];
      return [name, ...figures.map((ms) => format(ms)), format(tasks.length), format(tasks.at(-1) ?? 0)];
    }),
  );
  return {
    typing_p95_ms: quantile(all("typingMs"), 0.95),
    typing_while_receiving_p95_ms: quantile(all("typingWhileReceivingMs"), 0.95),
    long_tasks_typing: all("longTasksTyping").length,
  };
}
