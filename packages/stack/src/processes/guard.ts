import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { repoRoot } from "@messageoh/cli/root";
import type { Group } from "./part.ts";

/** The starter's end of the watchdog: tells it which groups to end if the starter itself is gone. */
export class Guard {
  #child: ChildProcess | undefined;
  #groups: Group[] = [];
  #closed = false;

  constructor() {
    this.#spawn();
  }

  /** The watchdog's pid: as long as it runs, processes of a dead starter are still being ended. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Replaces the list of groups. */
  tell(groups: Group[]): void {
    this.#groups = groups;
    this.#child?.stdin?.write(`${JSON.stringify(groups)}\n`);
  }

  /** Lets the watchdog go. */
  close(): void {
    this.#closed = true;
    this.#child?.stdin?.end("[]\n");
  }

  #spawn(): void {
    const script = join(repoRoot(), "packages/stack/src/processes/watchdog.ts");
    const child = spawn(process.execPath, [script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin?.on("error", () => {});
    child.once("error", () => {});
    child.once("exit", () => {
      if (this.#closed) return;
      this.#spawn();
      this.tell(this.#groups);
    });
    child.unref();
    (child.stdin as Socket | null)?.unref();
    this.#child = child;
  }
}
