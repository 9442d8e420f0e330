import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RemoteContract, RemotePointer, ShellContract, ShellPointer } from "@messageoh/contracts/releases";
import { replace } from "./files.ts";
import type { Frontend } from "./frontends.ts";

/** The content of a release folder's `release.json`. */
export type Release = {
  release: string;
  /** Hash of the files, which prevents a second release with the same content. */
  content: string;
  madeAt: string;
  contract: RemoteContract | ShellContract;
};

/** The history of a front end's releases, stored outside the folders that the gateway serves. */
export type State = {
  /** Releases that were live or a canary, oldest first. */
  history: { release: string; at: string; isCanary?: true }[];
  /**
   * Hash of the content that each checkout released last, so that a restart does not undo another checkout's release.
   */
  checkouts: Record<string, string>;
};

export const RELEASE_FILE = "release.json";

/** A front end's folder in the gateway's static files: release folders and the pointer `current.json`. */
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

  /** Returns the stored releases, latest first. */
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

  /** Returns the pointer, or `undefined` if there is none or it has no contract. */
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

/** Returns a checkout's key in the state: a hash, so that the state does not reveal the path. */
export const checkoutKey = (root: string): string => createHash("sha256").update(root).digest("hex").slice(0, 12);
