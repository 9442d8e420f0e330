import { readFileSync } from "node:fs";

/** State of a process in the kernel. */
type ProcStat = {
  /** One letter; `Z` is a zombie. */
  state: string;
  parent: number;
  group: number;
  /** CPU time in kernel ticks, with that of children that ended. */
  ticks: number;
  /** Start time in kernel ticks. Together with the pid it is unique, although pids are reused. */
  birth: string;
};

/** Returns the entry of a process in `/proc`, or `undefined` if there is none. Works on Linux only. */
export function readProcStat(pid: number): ProcStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program comes first and may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const [state = "", parent, group] = fields;
    return { state, parent: Number(parent), group: Number(group), ticks, birth: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
