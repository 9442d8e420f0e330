import { createInterface } from "node:readline";
import { endGroups } from "./groups.ts";
import type { Group } from "./part.ts";

// Holds the other end of a pipe to the starter. When that ends, however it ended, the pipe closes and this process
// ends every group it was last told of. A line replaces the list; an orderly stop leaves an empty one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

let groups: Group[] = [];
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  groups = JSON.parse(line) as Group[];
});
lines.on("close", () => {
  void endGroups(groups).finally(() => process.exit(0));
});
