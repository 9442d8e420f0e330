import { format, median, printTable, quantile } from "../figures.ts";
import type { Interaction } from "./interaction.ts";
import type { Visit } from "./loading.ts";

export type LoadingSample = { screen: string; profile: string; cache: "cold" | "warm" } & Visit;

/** Prints a row per screen, network and cache state. Returns the bytes of scripts of each screen. */
export function loadingReport(samples: LoadingSample[]): Record<string, number> {
  const rows = Map.groupBy(samples, ({ screen, profile, cache }) => `${screen}, ${profile}, ${cache}`);
  if (rows.size === 0) return {};
  const medianOf = (visits: LoadingSample[], figure: keyof Visit) => median(visits.map((visit) => visit[figure]));
  process.stdout.write("\nMedians\n\n");
  printTable(
    ["", "requests", "JS KiB", "LCP ms", "accepts input after ms"],
    [...rows].map(([name, visits]) => [
      name,
      format(medianOf(visits, "requests")),
      format(medianOf(visits, "jsKib"), 1),
      format(medianOf(visits, "lcpMs")),
      format(medianOf(visits, "acceptsMs")),
    ]),
  );
  const jsKib = (screen: string) =>
    medianOf(
      samples.filter((sample) => sample.screen === screen && sample.cache === "cold"),
      "jsKib",
    );
  return { login_js_kib: jsKib("/login"), home_js_kib: jsKib("/home") };
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
