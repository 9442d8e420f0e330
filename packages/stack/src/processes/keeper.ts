import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { PlainError, say } from "@messageoh/cli/say";
import { until } from "../ports.ts";
import { signalGroup } from "./groups.ts";
import { lastLines, openLog } from "./logs.ts";
import type { Group, Part } from "./part.ts";

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STABLE_MS = 10_000;
const FIRST_START_TRIES = 3;
const READY_TIMEOUT_MS = 60_000;
const DEFAULT_GRACE_MS = 10_000;

/** Keeps one part alive: starts it, and starts it again with growing pauses whenever it dies. */
export class Keeper {
  readonly part: Part;
  readonly #log: string;
  readonly #onChange: () => void;
  #child: ChildProcess | undefined;
  #ending: Promise<string> = Promise.resolve("");
  #deaths = 0;
  #released = false;

  constructor(part: Part, logFile: string, onChange: () => void) {
    this.part = part;
    this.#log = logFile;
    this.#onChange = onChange;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get group(): Group | undefined {
    const { stage, stopSignal: signal = "SIGTERM", graceMs = DEFAULT_GRACE_MS } = this.part;
    return this.pid === undefined ? undefined : { pid: this.pid, stage, signal, graceMs };
  }

  /** Resolves when the part is ready; rejects with its last log lines when it cannot be started. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.#launch();
      if (this.#released) throw new PlainError(`${this.part.name} was ended before it was ready`);
      if (outcome === "ready") return void this.#watch();
      if (tries < FIRST_START_TRIES && outcome !== "not ready") continue;
      const what = outcome === "not ready" ? `was not ready after ${READY_TIMEOUT_MS / 1000} s` : outcome;
      this.#released = true;
      throw new PlainError(`${this.part.name} cannot be started: it ${what}. Its log ends with:\n${this.#tail()}`);
    }
  }

  /** From now on its death is wanted: it is not started again. */
  release(): void {
    this.#released = true;
  }

  /** Resolves when its process has ended. */
  async ended(): Promise<void> {
    await this.#ending;
  }

  async #watch(): Promise<void> {
    let since = Date.now();
    let how = await this.#ending;
    while (!this.#released) {
      this.#deaths = Date.now() - since > STABLE_MS ? 1 : this.#deaths + 1;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#deaths - 1), LONGEST_DELAY_MS);
      say(`${this.part.name} ${how}; starting it again in ${delay / 1000} s`);
      if (this.#deaths === 5) say(`${this.part.name} keeps dying. Its log (${this.#log}) ends with:\n${this.#tail()}`);
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (this.#released) return;
      since = Date.now();
      const outcome = await this.#launch();
      if (outcome === "ready") say(`${this.part.name} is back`);
      how = await this.#ending;
    }
  }

  async #launch(): Promise<string> {
    this.#spawn();
    let over = false;
    const died = this.#ending.then((how) => {
      over = true;
      return how;
    });
    const ready = until(async () => over || (await this.part.ready()), READY_TIMEOUT_MS, 50);
    return Promise.race([died, ready.then((is) => (is ? (over ? died : "ready") : "not ready"))]);
  }

  #spawn(): void {
    const { command, args, cwd, env = process.env } = this.part;
    const log = openLog(this.#log);
    // A group of its own: a Ctrl-C at the terminal reaches the starter only, which then ends all in order.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#child = child;
    this.#ending = new Promise((resolve) => {
      const end = (how: string): void => {
        // Workers that outlived their master would keep its port.
        if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
        if (this.#child === child) this.#child = undefined;
        this.#onChange();
        resolve(how);
      };
      child.once("error", (error) => end(`could not be run (${error.message})`));
      child.once("exit", (code, signal) => end(signal ? `died of ${signal}` : `ended with exit code ${code}`));
    });
    this.#onChange();
  }

  #tail(): string {
    return lastLines(this.#log);
  }
}
