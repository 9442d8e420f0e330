import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { repoRoot } from "../command/root.ts";
import type { Group } from "./part.ts";

/** Runs the watchdog and sends it the process groups to stop if this process dies. */
export class WatchdogClient {
  #child: ChildProcess | undefined;
  #groups: Group[] = [];
  #closed = false;

  constructor() {
    this.#spawn();
  }

  /** The pid of the watchdog, which runs until all processes of a dead starter have ended. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Replaces the list of groups. */
  setGroups(groups: Group[]): void {
    this.#groups = groups;
    this.#child?.stdin?.write(`${JSON.stringify(groups)}\n`);
  }

  /** Ends the watchdog. */
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
      this.setGroups(this.#groups);
    });
    child.unref();
    (child.stdin as Socket | null)?.unref();
    this.#child = child;
  }
}
