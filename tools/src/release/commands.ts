import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "@messageoh/cli/cache";
import { PlainError } from "@messageoh/cli/progress";
import type { ShellContract } from "@messageoh/contracts/releases";
import { addRelease } from "@messageoh/frontend-build/releases/addRelease";
import { buildFrontends } from "@messageoh/frontend-build/releases/build";
import { distDir, type Frontend } from "@messageoh/frontend-build/releases/frontends";
import {
  endCanary,
  makeLive,
  prune,
  releaseBefore,
  remotePointerOf,
  startCanary,
} from "@messageoh/frontend-build/releases/live";
import { rememberCheckout } from "@messageoh/frontend-build/releases/publish";
import { releaseName } from "@messageoh/frontend-build/releases/releaseName";
import { type Release, Store } from "@messageoh/frontend-build/releases/store";
import { checkContract, smokeCandidate } from "./candidate.ts";
import type { Target } from "./target.ts";

export type Options = {
  /** A built front end to release, instead of building this checkout's. */
  dist?: string;
  /** False leaves out the smoke test. */
  smoke: boolean;
};

const print = (line: string): unknown => process.stdout.write(`${line}\n`);

/** Builds, checks, tries and switches: only this front end's own folder and pointer change. */
export async function release(root: string, target: Target, frontend: Frontend, options: Options): Promise<void> {
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const before = (await store.pointer())?.release;
    const candidate = await makeCandidate(root, target, store, options);
    if (candidate.release === before) return print(`${frontend.name} ${before} has this content and is live already.`);
    await makeLive(store, candidate);
    await settle(root, store, candidate, options);
    print(`${frontend.name} ${candidate.release} is live${before ? `, ${before} before it` : ""}.`);
    print(`Back to that one: npm run rollback -w ${frontend.name}`);
  });
}

/** Points back to a release whose files are still there: the one named, else the one that was live before. */
export async function rollback(target: Target, frontend: Frontend, name: string | undefined): Promise<void> {
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const live = (await store.pointer())?.release ?? "";
    const wanted = name ?? releaseBefore(await store.state(), live);
    if (!wanted) throw new PlainError(`No release of ${frontend.name} was live before ${live}.`);
    const found = (await store.releases()).find(({ release }) => release === wanted);
    if (!found) throw new PlainError(`${frontend.name} ${wanted} is not kept any more. See npm run releases.`);
    if (wanted === live) throw new PlainError(`${frontend.name} ${wanted} is live already.`);
    await checkContract(target.www, frontend, found);
    await makeLive(store, found);
    print(`${frontend.name} ${wanted} is live again, ${live} before it.`);
  });
}

/** Shows a release to a share of the browsers, ends that, or makes it the live one. */
export async function canary(
  root: string,
  target: Target,
  frontend: Frontend,
  what: string,
  options: Options,
): Promise<void> {
  if (!frontend.remote)
    throw new PlainError("Only mfe-auth and mfe-chat have canaries: the shell decides who gets one.");
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const running = (await remotePointerOf(store)).canary;
    if (what === "end" || what === "promote") {
      if (!running) throw new PlainError(`${frontend.name} has no canary.`);
      if (what === "end") await endCanary(store);
      else await makeLive(store, await named(store, running.release));
      return print(
        `${frontend.name} ${running.release} is ${what === "end" ? "no canary any more" : "live for everybody"}.`,
      );
    }
    const percent = Number(what);
    if (!(percent > 0 && percent < 100)) throw new PlainError("Give a share between 0 and 100, or end, or promote.");
    const candidate = await makeCandidate(root, target, store, options);
    if (candidate.release === (await store.pointer())?.release) {
      throw new PlainError(`${frontend.name} ${candidate.release} has this content and is live already.`);
    }
    await startCanary(store, candidate, percent);
    await settle(root, store, candidate, options);
    print(`${frontend.name} ${candidate.release} is live for ${percent} % of the browsers.`);
    print(`Then: npm run canary -w ${frontend.name} -- promote, or -- end`);
  });
}

// One command at a time for a front end; the teams do not wait for each other.
const locked = <T>({ www }: Target, { name }: Frontend, work: () => Promise<T>): Promise<T> =>
  withLock(join(www, ".state"), name, work);

/** A release that may go live: its contract fits and it works in the live shell. One that does not leaves nothing behind. */
async function makeCandidate(root: string, target: Target, store: Store, options: Options): Promise<Release> {
  const { frontend } = store;
  if (options.smoke && !target.url) {
    throw new PlainError(
      `No stack answers for ${target.www}, so the release cannot be tried in its shell. Start one with npm start, or leave the test out with -- --no-smoke.`,
    );
  }
  const known = new Set((await store.releases()).map(({ release }) => release));
  const add = (dist: string) => addRelease(store, dist, (content) => releaseName(root, frontend, content));
  const candidate = options.dist
    ? await add(options.dist)
    : await buildFrontends(root, () => add(distDir(root, frontend)), [frontend]);
  print(`${frontend.name} ${candidate.release}`);
  try {
    print(`  contract: ${contractOf(candidate)}: ${await checkContract(target.www, frontend, candidate)}`);
    if (options.smoke && target.url) {
      const began = Date.now();
      const walks = await smokeCandidate(root, target.www, target.url, frontend, candidate).catch((error: Error) => {
        throw new PlainError(`${candidate.release} failed its smoke test, nothing was switched:\n${error.message}`);
      });
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      print(
        `  smoke test in the live shell at ${target.url}: passed, ${walks === 1 ? "1 walk" : `${walks} walks`} in ${seconds} s`,
      );
    } else print("  smoke test: left out");
  } catch (error) {
    if (!known.has(candidate.release)) await rm(store.folder(candidate.release), { recursive: true });
    throw error;
  }
  return candidate;
}

function contractOf({ contract }: Release): string {
  if ("exposes" in contract) {
    return `exposes ${contract.exposes.join(", ")}, page props ${contract.pageProps}, React ${contract.react}`;
  }
  const { pages, pageProps, react } = contract as ShellContract;
  return `shows ${pages.join(", ")}, page props ${pageProps.oldest} to ${pageProps.newest}, React ${react}`;
}

async function settle(root: string, store: Store, candidate: Release, { dist }: Options): Promise<void> {
  if (!dist) await rememberCheckout(store, root, candidate.content);
  await prune(store);
}

async function named(store: Store, name: string): Promise<Release> {
  const found = (await store.releases()).find(({ release }) => release === name);
  if (!found) throw new PlainError(`The files of ${name} are gone.`);
  return found;
}
