import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findIncompatibilities } from "@messageoh/contracts/incompatibilities";
import type { RemoteContract, ShellContract } from "@messageoh/contracts/releases";
import { satisfies } from "semver";
import { PlainError } from "../../command/progress.ts";
import { FRONTENDS, type Frontend } from "../frontends.ts";
import { asRemote, remotePointerOf } from "../live.ts";
import { type Release, Store } from "../store.ts";
import { smokeTest, withBrowser } from "./smoke.ts";

/** A shell must be compatible with the releases to which a remote may be rolled back. */
const REMOTE_RELEASES_PER_SHELL = 3;
const REMOTES = FRONTENDS.filter(({ remote }) => remote !== undefined);

/** Throws if a release is incompatible with its live counterparts; otherwise returns their names. */
export async function checkContract(www: string, frontend: Frontend, release: Release): Promise<string> {
  if (frontend.remote) {
    const shell = await new Store(www, shellOf()).pointer();
    if (!shell) throw new PlainError("No shell is live: start the stack first.");
    assertCompatible(release, frontend.remote, release.contract as RemoteContract, shell.contract as ShellContract, "");
    return `compatible with shell ${shell.release}`;
  }
  const counterparts = await remoteReleases(www);
  for (const { store, release: remote } of counterparts) {
    const name = ` with ${store.frontend.name} ${remote.release}`;
    assertCompatible(
      release,
      store.frontend.remote ?? "",
      remote.contract as RemoteContract,
      release.contract as ShellContract,
      name,
    );
  }
  return `compatible with ${counterparts.map(({ store, release: remote }) => `${store.frontend.name} ${remote.release}`).join(", ")}`;
}

function assertCompatible(
  release: Release,
  remote: string,
  offer: RemoteContract,
  shell: ShellContract,
  counterpart: string,
): void {
  const reasons = incompatibilitiesOf(remote, offer, shell);
  if (reasons.length === 0) return;
  throw new PlainError(
    `${release.release} is incompatible${counterpart}: ${reasons.join("; ")}. Nothing was released.`,
  );
}

/** Runs the smoke tests of a release in the live shell and returns their number. */
export async function smokeCandidate(
  root: string,
  www: string,
  url: string,
  frontend: Frontend,
  release: Release,
): Promise<number> {
  return withBrowser(root, async (browser) => {
    if (frontend.remote) {
      const store = new Store(www, frontend);
      const pointer = { ...(await remotePointerOf(store)), ...(await asRemote(store, release)), canary: undefined };
      await smokeTest(browser, root, url, frontend, { pointers: { [frontend.remote]: pointer } });
      return 1;
    }
    const shellPage = await readFile(join(new Store(www, frontend).folder(release.release), "index.html"), "utf8");
    await smokeTest(browser, root, url, frontend, { shellPage });
    const counterparts = await remoteReleases(www);
    for (const { store, release: remote } of counterparts) {
      const pointer = { ...(await remotePointerOf(store)), ...(await asRemote(store, remote)), canary: undefined };
      await smokeTest(browser, root, url, store.frontend, { shellPage, pointers: { [pointer.name]: pointer } }).catch(
        (error: Error) => {
          throw new PlainError(`With ${store.frontend.name} ${remote.release}:\n${error.message}`);
        },
      );
    }
    return 1 + counterparts.length;
  });
}

/** Returns the live release of each remote and its latest others, three in total. */
async function remoteReleases(www: string): Promise<{ store: Store; release: Release }[]> {
  const found = REMOTES.map(async (frontend) => {
    const store = new Store(www, frontend);
    const live = (await store.pointer())?.release;
    const releases = await store.releases();
    const ordered = [
      ...releases.filter(({ release }) => release === live),
      ...releases.filter(({ release }) => release !== live),
    ];
    return ordered.slice(0, REMOTE_RELEASES_PER_SHELL).map((release) => ({ store, release }));
  });
  return (await Promise.all(found)).flat();
}

const shellOf = (): Frontend => FRONTENDS[0];

/** Returns the reasons why a release of a remote is incompatible with a shell, including the version of React. */
export function incompatibilitiesOf(remote: string, offer: RemoteContract, shell: ShellContract): string[] {
  const reasons = findIncompatibilities(remote, offer, shell);
  if (!satisfies(shell.react, offer.react)) {
    reasons.push(`it needs React ${offer.react}, the shell has ${shell.react}`);
  }
  return reasons;
}
