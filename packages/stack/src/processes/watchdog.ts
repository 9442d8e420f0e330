import { createInterface } from "node:readline";
import { endGroups } from "./groups.ts";
import type { Group } from "./part.ts";

// Reads the list of process groups from the starter. When the starter ends, even by SIGKILL, the pipe closes and this
// process stops the groups of the last line. A graceful shutdown sends an empty list.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

let groups: Group[] = [];
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  groups = JSON.parse(line) as Group[];
});
lines.on("close", () => {
  void endGroups(groups).finally(() => process.exit(0));
});
