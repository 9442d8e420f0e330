import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, isPortFree } from "./ports.ts";

type Remembered = { secret: string; ports: Record<string, number> };

/** Stores the secret and the ports of a stack across starts, in `DATA_DIR/stack.json`. */
export class StackFile {
  readonly #file: string;
  readonly #content: Remembered;

  constructor(dataDir: string) {
    this.#file = join(dataDir, "stack.json");
    this.#content = this.#read() ?? { secret: randomBytes(32).toString("base64url"), ports: {} };
    this.#write();
  }

  /** The shared secret of calls between services. */
  get secret(): string {
    return this.#content.secret;
  }

  /** Returns the port of a process: the port of the last start if it is free. */
  async portFor(name: string): Promise<number> {
    const last = this.#content.ports[name];
    const reusable = last !== undefined && (await isPortFree(last));
    const port = reusable ? last : await freePort(new Set(Object.values(this.#content.ports)));
    this.#content.ports[name] = port;
    this.#write();
    return port;
  }

  #read(): Remembered | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Remembered;
    } catch {
      return undefined;
    }
  }

  #write(): void {
    writeFileSync(`${this.#file}.tmp`, `${JSON.stringify(this.#content, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.#file}.tmp`, this.#file);
  }
}
