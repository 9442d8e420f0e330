import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { logProgress, PlainError } from "../command/progress.ts";
import { until } from "../ports.ts";
import { becomesFrozen, SILENCE_MAX_MS } from "./frozen.ts";
import { endGroups, signalGroup } from "./groups.ts";
import { lastLines, openLog } from "./logs.ts";
import type { Group, Part } from "./part.ts";

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STABLE_MS = 10_000;
const FIRST_START_ATTEMPTS = 3;
const READY_TIMEOUT_MS = 60_000;
const DEFAULT_GRACE_MS = 10_000;

/** Runs one part and restarts it with exponential backoff when it exits or, if it has a check for that, is frozen. */
export class SupervisedProcess {
  part: Part;
  readonly #log: string;
  readonly #onChange: () => void;
  #child: ChildProcess | undefined;
  #exit: Promise<string> = Promise.resolve("");
  #failures = 0;
  #isRestartDisabled = false;

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

  /** Resolves when the part is ready; rejects with its last log lines if it does not start. */
  async start(): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const outcome = await this.#launch();
      if (this.#isRestartDisabled) throw new PlainError(`${this.part.name} was stopped before it was ready`);
      if (outcome === "ready") return void this.#watch();
      if (attempts < FIRST_START_ATTEMPTS && outcome !== "not ready") continue;
      const reason = outcome === "not ready" ? `was not ready after ${READY_TIMEOUT_MS / 1000} s` : outcome;
      this.#isRestartDisabled = true;
      throw new PlainError(`${this.part.name} did not start: it ${reason}. Its log ends with:\n${this.#tail()}`);
    }
  }

  /** Ends the process and runs another version of the part instead; resolves when that is ready. */
  async replace(part: Part): Promise<void> {
    const { group, pid } = this;
    this.part = part;
    if (group) await endGroups([group]);
    const isReady = async () => this.pid !== undefined && this.pid !== pid && (await part.ready());
    if (await until(isReady, READY_TIMEOUT_MS)) return;
    throw new PlainError(`${part.name} was not replaced. Its log ends with:\n${this.#tail()}`);
  }

  /** Turns off restarts. */
  disableRestart(): void {
    this.#isRestartDisabled = true;
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<void> {
    await this.#exit;
  }

  async #watch(): Promise<void> {
    let startedAt = Date.now();
    let reason = await this.#exit;
    while (!this.#isRestartDisabled) {
      this.#failures = Date.now() - startedAt > STABLE_MS ? 1 : this.#failures + 1;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - 1), LONGEST_DELAY_MS);
      logProgress(`${this.part.name} ${reason}; restarting it in ${delay / 1000} s`);
      if (this.#failures === 5)
        logProgress(`${this.part.name} keeps failing. Its log (${this.#log}) ends with:\n${this.#tail()}`);
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (this.#isRestartDisabled) return;
      startedAt = Date.now();
      const outcome = await this.#launch();
      if (outcome === "ready") logProgress(`${this.part.name} is ready again`);
      reason = await this.#exit;
    }
  }

  async #launch(): Promise<string> {
    this.#spawn();
    let hasExited = false;
    const exited = this.#exit.then((reason) => {
      hasExited = true;
      return reason;
    });
    const ready = until(async () => hasExited || (await this.part.ready()), READY_TIMEOUT_MS, 50);
    const outcome = await Promise.race([
      exited,
      ready.then((isReady) => (isReady ? (hasExited ? exited : "ready") : "not ready")),
    ]);
    void this.#killIfFrozen(outcome === "ready");
    return outcome;
  }

  /** Kills the process when it is frozen; `#watch` restarts it. */
  async #killIfFrozen(hasResponded: boolean): Promise<void> {
    const { part, pid } = this;
    if (!part.alive || pid === undefined) return;
    if (!(await becomesFrozen(part.alive, () => this.pid !== pid, hasResponded))) return;
    logProgress(`${part.name} has not responded for ${SILENCE_MAX_MS / 1000} s; killing it`);
    signalGroup(pid, "SIGKILL");
  }

  #spawn(): void {
    const { command, args, cwd, env = process.env } = this.part;
    const log = openLog(this.#log);
    // In its own process group, so that Ctrl-C reaches the starter only, which stops all parts in order.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#child = child;
    this.#exit = new Promise((resolve) => {
      const end = (reason: string): void => {
        // Workers that outlive their master would keep its port.
        if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
        if (this.#child === child) this.#child = undefined;
        this.#onChange();
        resolve(reason);
      };
      child.once("error", (error) => end(`failed to run (${error.message})`));
      child.once("exit", (code, signal) => end(signal ? `was killed by ${signal}` : `exited with code ${code}`));
    });
    this.#onChange();
  }

  #tail(): string {
    return lastLines(this.#log);
  }
}
