import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endGroups } from "./groups.ts";
import { rotateLog } from "./logs.ts";
import type { Group, Part, ProcessEntry } from "./part.ts";
import { SupervisedProcess } from "./supervisedProcess.ts";
import { WatchdogClient } from "./watchdogClient.ts";

const ROTATE_EVERY_MS = 5_000;

/**
 * Starts parts, restarts them and stops them in order. If this process is killed, a watchdog stops the parts.
 * `DIR/processes.json` lists the running parts.
 */
export class Supervisor {
  readonly dir: string;
  readonly #processes: SupervisedProcess[] = [];
  readonly #watchdog = new WatchdogClient();
  readonly #rotation: NodeJS.Timeout;
  #stopped: Promise<void> | undefined;

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(join(dir, "logs"), { recursive: true, mode: 0o700 });
    this.#publish();
    this.#rotation = setInterval(() => this.#rotateLogs(), ROTATE_EVERY_MS).unref();
  }

  get watchdogPid(): number | undefined {
    return this.#watchdog.pid;
  }

  /** Starts a part and resolves when it is ready. */
  async start(part: Part): Promise<void> {
    if (this.#stopped) throw new Error(`${part.name} does not start: the stack is stopping`);
    const process = new SupervisedProcess(part, this.#logOf(part), () => this.#publish());
    this.#processes.push(process);
    await process.start();
  }

  /** Replaces a part by another version of it; resolves when that is ready. */
  async replace(name: string, change: (part: Part) => Promise<Part>): Promise<void> {
    const process = this.#processes.find(({ part }) => part.name === name);
    if (!process) throw new Error(`There is no part ${name}`);
    await process.replace(await change(process.part));
  }

  /** Returns the running parts. */
  processes(): ProcessEntry[] {
    return this.#processes.flatMap(({ part, pid }) =>
      pid === undefined ? [] : [{ name: part.name, pid, port: part.port }],
    );
  }

  /** Stops all parts in the order of their stages. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    for (const process of this.#processes) process.disableRestart();
    await endGroups(this.#groups());
    await Promise.all(this.#processes.map((process) => process.ended()));
    this.#publish();
    this.#watchdog.close();
    clearInterval(this.#rotation);
  }

  #logOf({ name }: Part): string {
    return join(this.dir, "logs", `${name}.log`);
  }

  #rotateLogs(): void {
    for (const { part } of this.#processes) rotateLog(this.#logOf(part));
  }

  #groups(): Group[] {
    return this.#processes.flatMap(({ group }) => group ?? []);
  }

  #publish(): void {
    this.#watchdog.setGroups(this.#groups());
    const file = join(this.dir, "processes.json");
    writeFileSync(`${file}.tmp`, `${JSON.stringify(this.processes(), null, 2)}\n`);
    renameSync(`${file}.tmp`, file);
  }
}
