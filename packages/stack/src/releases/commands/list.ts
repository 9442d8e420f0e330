import { printTable } from "../../command/table.ts";
import { FRONTENDS } from "../frontends.ts";
import { isRemovedIn } from "../live.ts";
import { Store } from "../store.ts";
import type { Target } from "./target.ts";

/**
 * Prints the live releases, canaries and kept releases of every front end, and whether the service worker is removed.
 */
export async function listReleases(target: Target): Promise<void> {
  let isServiceWorkerRemoved = false;
  const rows: string[][] = [];
  for (const frontend of FRONTENDS) {
    const store = new Store(target.www, frontend);
    const pointer = await store.pointer();
    isServiceWorkerRemoved ||= isRemovedIn(pointer);
    const canary = pointer && "canary" in pointer ? pointer.canary : undefined;
    const line = (release: string): [state: string, since: string, rank: number] => {
      if (release === pointer?.release)
        return [canary ? `live for ${100 - canary.percent} %` : "live", pointer.since, 0];
      if (canary && release === canary.release) return [`canary for ${canary.percent} %`, canary.since, 1];
      return ["kept", "", 2];
    };
    const releases = (await store.releases()).map(({ release }) => ({ release, line: line(release) }));
    releases.sort((a, b) => a.line[2] - b.line[2]);
    releases.forEach(({ release, line: [state, since] }, index) => {
      rows.push([index === 0 ? frontend.name : "", release, state, asLocalTime(since)]);
    });
  }
  printTable(["front end", "release", "state", "since"], rows, 4);
  if (isServiceWorkerRemoved)
    process.stdout.write("the service worker is removed from all browsers: npm run service-worker -- restore\n");
  process.stdout.write(target.url ? `served at ${target.url}\n` : `no running stack serves ${target.www}\n`);
}

const asLocalTime = (iso: string): string => (iso ? new Date(iso).toLocaleString("sv-SE") : "");
