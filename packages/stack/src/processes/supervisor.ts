import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endGroups } from "./groups.ts";
import { Guard } from "./guard.ts";
import { Keeper } from "./keeper.ts";
import type { Group, Part, ProcessEntry } from "./part.ts";

/**
 * Starts parts, keeps them alive and ends them in order. None outlives the process that made this, whatever ends it:
 * a watchdog sees to that. `DIR/processes.json` always lists what runs.
 */
export class Supervisor {
  readonly dir: string;
  readonly #keepers: Keeper[] = [];
  readonly #guard = new Guard();
  #stopped: Promise<void> | undefined;

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(join(dir, "logs"), { recursive: true, mode: 0o700 });
    this.#publish();
  }

  get watchdogPid(): number | undefined {
    return this.#guard.pid;
  }

  /** Starts a part and resolves when it is ready. */
  async start(part: Part): Promise<void> {
    if (this.#stopped) throw new Error(`${part.name} is not started: the stack is being ended`);
    const keeper = new Keeper(part, join(this.dir, "logs", `${part.name}.log`), () => this.#publish());
    this.#keepers.push(keeper);
    await keeper.start();
  }

  /** What runs now. */
  processes(): ProcessEntry[] {
    return this.#keepers.flatMap(({ part, pid }) =>
      pid === undefined ? [] : [{ name: part.name, pid, port: part.port }],
    );
  }

  /** Ends everything, in the order of the parts' stages. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    for (const keeper of this.#keepers) keeper.release();
    await endGroups(this.#groups());
    await Promise.all(this.#keepers.map((keeper) => keeper.ended()));
    this.#publish();
    this.#guard.close();
  }

  #groups(): Group[] {
    return this.#keepers.flatMap(({ group }) => group ?? []);
  }

  #publish(): void {
    this.#guard.tell(this.#groups());
    const file = join(this.dir, "processes.json");
    writeFileSync(`${file}.tmp`, `${JSON.stringify(this.processes(), null, 2)}\n`);
    renameSync(`${file}.tmp`, file);
  }
}
