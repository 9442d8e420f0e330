import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Lowers the priority of this process, for work that must not delay messages. Where Linux shares the cores among
 * sessions (`autogroup`), the priority of a process counts within its session only, so the session gets the same one.
 * @param priority from 0 (normal) to 19 (lowest); see `os.constants.priority`
 */
export function lowerPriority(priority: number): void {
  setPriority(priority);
  try {
    writeFileSync("/proc/self/autogroup", String(priority));
  } catch {
    // This system has no such sessions.
  }
}
