import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { findPrimary, isPrimary, memberDir, withMember } from "@messageoh/stack/dependencies/mongo";
import type { ProcessEntry } from "@messageoh/stack/processes/part";
import pLimit from "p-limit";
import { pause } from "../../client/account.ts";
import { type Fault, type FaultContext, succeeds } from "./fault.ts";
import { signal } from "./processes.ts";

/** Time from the backup to the loss, and from the loss to the replacement. */
const WITHOUT_MS = 3_000;
const LOCK = "mongod.lock";
const PARTS = ["svc-users", "svc-messages", "svc-media", "svc-realtime", "gateway"];

/**
 * Returns the faults of a zone that is lost for good: an instance of each service, a gateway, and the primary of
 * MongoDB with its data. The supervisor starts the processes again, as in another zone. The replaced member becomes the
 * primary, so that what it lacks is lost.
 */
export function lostZoneFaults({ stack, random }: FaultContext): Fault[] {
  // One zone at a time: two of three members are a majority, whose loss may lose acked writes.
  const inTurn = pLimit(1);
  const members = () => stack.processes().filter(({ name }) => name.startsWith("mongo"));
  if (members().length < 3) return [];
  const folderOf = ({ name }: ProcessEntry) => memberDir(stack.dataDir, name);

  async function waitForPrimary(): Promise<ProcessEntry> {
    let found: ProcessEntry | undefined;
    await succeeds("MongoDB has a primary", async () => {
      found = await findPrimary(members());
      return found !== undefined;
    });
    return found as ProcessEntry;
  }

  /** Copies the files of a member that runs. Returns their folder. */
  async function backUp(): Promise<string> {
    const backup = join(stack.dataDir, "backup");
    await succeeds("a member of MongoDB is backed up", async () => {
      const primary = await waitForPrimary();
      const member = random.pick(members().filter(({ name }) => name !== primary.name));
      await rm(backup, { recursive: true, force: true });
      return withMember(stack.mongoUrl, member.port, async (admin) => {
        await admin.command({ fsync: 1, lock: true });
        const isData = (path: string) => basename(path) !== LOCK;
        const copied = cp(folderOf(member), backup, { recursive: true, filter: isData });
        await copied.finally(() => admin.command({ fsyncUnlock: 1 }));
        return true;
      });
    });
    return backup;
  }

  async function lose(replace: (folder: string) => Promise<void>): Promise<void> {
    const primary = await waitForPrimary();
    const folder = folderOf(primary);
    const victims = PARTS.map((part) => random.pick(stack.processes().filter(({ name }) => name.startsWith(part))));
    for (const victim of [...victims, primary]) signal(victim?.pid, "SIGKILL");
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    // MongoDB does not start while its lock is a folder.
    const lock = join(folder, LOCK);
    mkdirSync(lock);
    // A member without its data may vote, so the others must agree on everything that was acked before.
    await succeeds("the other members store without the lost one", () =>
      withMember(stack.mongoUrl, undefined, async (admin) => {
        const note = { appendOplogNote: 1, data: {}, writeConcern: { w: "majority", wtimeout: 5_000 } };
        return (await admin.command(note)).writeConcernError === undefined;
      }),
    );
    await pause(WITHOUT_MS);
    await replace(folder);
    rmSync(lock, { recursive: true });
    await succeeds("the replaced member becomes the primary", () =>
      withMember(stack.mongoUrl, primary.port, async (admin) => {
        if (!(await isPrimary(primary.port))) await admin.command({ replSetStepUp: 1 });
        return true;
      }),
    );
  }

  const faults: Fault[] = [
    { name: "lose a zone, its MongoDB member returns empty", inject: () => lose(async () => {}) },
    {
      name: "lose a zone, its MongoDB member returns from a backup",
      async inject() {
        const backup = await backUp();
        await pause(WITHOUT_MS);
        await lose((folder) => cp(backup, folder, { recursive: true }));
        await rm(backup, { recursive: true });
      },
    },
  ];
  return faults.map(({ name, inject }) => ({ name, inject: () => inTurn(async () => inject()) }));
}
