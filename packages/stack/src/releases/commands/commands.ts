import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ShellContract } from "@messageoh/contracts/releases";
import { withLock } from "../../command/cache.ts";
import { PlainError } from "../../command/progress.ts";
import { addRelease } from "../addRelease.ts";
import { buildFrontends } from "../build.ts";
import { distDir, type Frontend } from "../frontends.ts";
import { endCanary, makeLive, prune, releaseBefore, remotePointerOf, startCanary } from "../live.ts";
import { rememberCheckout } from "../publish.ts";
import { releaseName } from "../releaseName.ts";
import { type Release, Store } from "../store.ts";
import { checkContract, smokeCandidate } from "./candidate.ts";
import type { Target } from "./target.ts";

export type Options = {
  /** A built front end to release, instead of building this checkout's. */
  dist?: string;
  /** `false` skips the smoke test. */
  smoke: boolean;
};

const print = (line: string): unknown => process.stdout.write(`${line}\n`);

/** Builds, checks and tests a front end and makes it live. Changes only its own folder and pointer. */
export async function release(root: string, target: Target, frontend: Frontend, options: Options): Promise<void> {
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const before = (await store.pointer())?.release;
    const candidate = await makeCandidate(root, target, store, options);
    if (candidate.release === before)
      return print(`${frontend.name} ${before} has the same content and is live already.`);
    await makeLive(store, candidate);
    await settle(root, store, candidate, options);
    print(`${frontend.name} ${candidate.release} is live${before ? `, it replaces ${before}` : ""}.`);
    print(`To roll back: npm run rollback -w ${frontend.name}`);
  });
}

/** Makes a kept release live: the named one, or the previous one. */
export async function rollback(target: Target, frontend: Frontend, name: string | undefined): Promise<void> {
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const live = (await store.pointer())?.release ?? "";
    const wanted = name ?? releaseBefore(await store.state(), live);
    if (!wanted) throw new PlainError(`No release of ${frontend.name} was live before ${live}.`);
    const found = await named(store, wanted);
    if (wanted === live) throw new PlainError(`${frontend.name} ${wanted} is live already.`);
    await checkContract(target.www, frontend, found);
    await makeLive(store, found);
    print(`${frontend.name} ${wanted} is live again, it replaces ${live}.`);
  });
}

/** Starts, ends or promotes a canary. */
export async function canary(
  root: string,
  target: Target,
  frontend: Frontend,
  action: string,
  options: Options,
): Promise<void> {
  if (!frontend.remote)
    throw new PlainError("Only mfe-auth and mfe-chat have canaries, because the shell selects the browsers.");
  const store = new Store(target.www, frontend);
  await locked(target, frontend, async () => {
    const running = (await remotePointerOf(store)).canary;
    if (action === "end" || action === "promote") {
      if (!running) throw new PlainError(`${frontend.name} has no canary.`);
      if (action === "end") await endCanary(store);
      else await makeLive(store, await named(store, running.release));
      return print(
        `${frontend.name} ${running.release} is ${action === "end" ? "no longer a canary" : "live for all browsers"}.`,
      );
    }
    const percent = Number(action);
    if (!(percent > 0 && percent < 100)) throw new PlainError("Pass a percentage between 0 and 100, end or promote.");
    const candidate = await makeCandidate(root, target, store, options);
    if (candidate.release === (await store.pointer())?.release) {
      throw new PlainError(`${frontend.name} ${candidate.release} has the same content and is live already.`);
    }
    await startCanary(store, candidate, percent);
    await settle(root, store, candidate, options);
    print(`${frontend.name} ${candidate.release} is live for ${percent} % of the browsers.`);
    print(`Next: npm run canary -w ${frontend.name} -- promote, or -- end`);
  });
}

// One lock per front end, so that teams do not wait for each other.
const locked = <T>({ www }: Target, { name }: Frontend, work: () => Promise<T>): Promise<T> =>
  withLock(join(www, ".state"), name, work);

/** Adds a release and checks its contract and smoke test. Removes a release that fails. */
async function makeCandidate(root: string, target: Target, store: Store, options: Options): Promise<Release> {
  const { frontend } = store;
  if (options.smoke && !target.url) {
    throw new PlainError(
      `No running stack serves ${target.www}, so the smoke test cannot run. Run npm start; if it has TLS_CERTIFICATE or ` +
        "PUBLIC_ORIGIN, set STACK_URL to the address that browsers use. -- --no-smoke skips the test.",
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
      const startedAt = Date.now();
      const runs = await smokeCandidate(root, target.www, target.url, frontend, candidate).catch((error: Error) => {
        throw new PlainError(`${candidate.release} failed its smoke test, nothing was released:\n${error.message}`);
      });
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      print(
        `  smoke test in the live shell at ${target.url}: passed, ${runs === 1 ? "1 run" : `${runs} runs`} in ${seconds} s`,
      );
    } else print("  smoke test: skipped");
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
  if (!found)
    throw new PlainError(`${store.frontend.name} ${name} is not kept. Run npm run releases to list the kept releases.`);
  return found;
}
