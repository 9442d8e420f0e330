import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, until } from "@messageoh/stack/ports";
import { respondsOk } from "@messageoh/stack/services";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";

/** Words that a command of WebKitWebDriver or Xvfb begins with. */
const [...PREFIX] = JSON.parse(process.env.WEBKIT_COMMAND ?? "[]") as string[];
const START_MS = 20_000;

export interface Browser {
  driver: WebDriver;
  close: () => Promise<void>;
}

/** A screen without a monitor, on which the browsers of one worker open their windows. */
export class Display {
  readonly #dir: string;
  readonly #xvfb: ChildProcess;
  readonly #number: string;

  private constructor(dir: string, xvfb: ChildProcess, number: string) {
    this.#dir = dir;
    this.#xvfb = xvfb;
    this.#number = number;
  }

  static async open(): Promise<Display> {
    const dir = await mkdtemp(join(tmpdir(), "messageoh-webkit-"));
    // Xvfb writes the number of the display that it has chosen to the third file.
    const xvfb = start(["Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {}, true);
    const [number] = await once(xvfb.stdio[3] as NodeJS.ReadableStream, "data");
    return new Display(dir, xvfb, `:${String(number).trim()}`);
  }

  /** Opens a browser without data of earlier ones. */
  async browser(): Promise<Browser> {
    const port = await freePort();
    const env = { DISPLAY: this.#number, XDG_RUNTIME_DIR: this.#dir, HOME: this.#dir, LIBGL_ALWAYS_SOFTWARE: "1" };
    const process = start(["WebKitWebDriver", `--port=${port}`], env);
    const isListening = await until(() => respondsOk(`http://127.0.0.1:${port}/status`), START_MS);
    if (!isListening) throw new Error("WebKitWebDriver does not start");
    const capabilities = new Capabilities({ browserName: "MiniBrowser" });
    const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
    await driver.manage().setTimeouts({ pageLoad: 20_000, script: 20_000 });
    const close = async () => {
      await driver.quit().catch(() => undefined);
      await stop(process);
    };
    return { driver, close };
  }

  async close(): Promise<void> {
    await stop(this.#xvfb);
    await rm(this.#dir, { recursive: true, force: true });
  }
}

function start(command: string[], env: NodeJS.ProcessEnv, hasThirdFile = false): ChildProcess {
  const [program = "", ...args] = [...PREFIX, ...command];
  return spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "ignore", hasThirdFile ? "pipe" : "ignore"],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}
