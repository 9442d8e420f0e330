import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RemoteContract, RemotePointer, ShellContract, ShellPointer } from "@messageoh/contracts/releases";
import { replace } from "./files.ts";
import type { Frontend } from "./frontends.ts";

/** What a release says of itself in its own folder. */
export type Release = {
  release: string;
  /** Hash of its files: the same content is never released under two names. */
  content: string;
  madeAt: string;
  contract: RemoteContract | ShellContract;
};

/** What no browser needs to know, kept outside of what the gateway serves. */
export type State = {
  /** Every release that was live or a canary, the latest last. */
  history: { release: string; at: string; isCanary?: true }[];
  /** The content that each checkout released last, so that a mere restart does not undo what another one released. */
  checkouts: Record<string, string>;
};

export const RELEASE_FILE = "release.json";

/** One front end's part of the gateway's static folder: its release folders and its pointer, `current.json`. */
export class Store {
  readonly frontend: Frontend;
  readonly dir: string;
  readonly #www: string;

  constructor(www: string, frontend: Frontend) {
    this.frontend = frontend;
    this.dir = join(www, frontend.name);
    this.#www = www;
  }

  folder(release: string): string {
    return join(this.dir, release);
  }

  /** The releases whose files are there, the latest first. */
  async releases(): Promise<Release[]> {
    const entries = await readdir(this.dir, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter(
      (entry) => entry.isDirectory() && existsSync(join(this.folder(entry.name), RELEASE_FILE)),
    );
    const found = await Promise.all(
      folders.map(
        async ({ name }) => JSON.parse(await readFile(join(this.folder(name), RELEASE_FILE), "utf8")) as Release,
      ),
    );
    return found.sort((a, b) => b.madeAt.localeCompare(a.madeAt));
  }

  /** The pointer; undefined where none was ever written, or by something that knew no contracts. */
  async pointer(): Promise<RemotePointer | ShellPointer | undefined> {
    const text = await readFile(join(this.dir, "current.json"), "utf8").catch(() => "{}");
    const pointer = JSON.parse(text) as Partial<RemotePointer> | Partial<ShellPointer>;
    return pointer.contract ? (pointer as RemotePointer | ShellPointer) : undefined;
  }

  async state(): Promise<State> {
    const text = await readFile(this.#stateFile, "utf8").catch(() => undefined);
    return text ? (JSON.parse(text) as State) : { history: [], checkouts: {} };
  }

  async setState(state: State): Promise<void> {
    await replace(this.#stateFile, `${JSON.stringify(state, null, 2)}\n`);
  }

  get #stateFile(): string {
    return join(this.#www, ".state", `${this.frontend.name}.json`);
  }
}

/** A checkout's name in the state: the folder itself is nobody else's business. */
export const checkoutKey = (root: string): string => createHash("sha256").update(root).digest("hex").slice(0, 12);
