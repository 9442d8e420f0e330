import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silenceProgress } from "@messageoh/stack/command/progress";
import { until } from "@messageoh/stack/ports";
import { type Stack, startStack } from "@messageoh/stack/stack";
import { Account } from "./account.ts";
import { download, uploadFile } from "./media.ts";

const MB = 1_000_000;
/** Killed when this many bytes have arrived. */
const KILLS: [bytes: number, part: string][] = [
  [10 * MB, "svc-media"],
  [25 * MB, "gateway"],
  [40 * MB, "svc-media"],
  [60 * MB, "gateway"],
  [80 * MB, "svc-media"],
];

let stack: Stack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "messageoh-upload-"));
  silenceProgress();
  stack = await startStack({ dataDir, realtimeInstances: 1, withoutFrontends: true });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it("uploads 100 MB, while svc-media is killed three times and the gateway twice, and downloads the same bytes", async () => {
  const { ann, thread_id } = await Account.registerFriends(stack.url);
  const bytes = randomBytes(100 * MB);
  const kills = [...KILLS];
  const killed: Promise<boolean>[] = [];
  const pidOf = (part: string) => stack.processes().find(({ name }) => name === part)?.pid;
  const onProgress = (offset: number) => {
    const [from, part = ""] = kills[0] ?? [Number.POSITIVE_INFINITY];
    if (offset < from) return;
    kills.shift();
    const pid = pidOf(part);
    if (pid === undefined) throw new Error(`${part} does not run`);
    // In the middle of the next part.
    setTimeout(() => process.kill(pid, "SIGKILL"), 5);
    killed.push(until(() => pidOf(part) !== undefined && pidOf(part) !== pid, 60_000));
  };
  const signal = AbortSignal.timeout(150_000);
  const attachment = await uploadFile(ann, thread_id, "large.bin", bytes, { signal, onProgress });
  expect(await Promise.all(killed)).toEqual(KILLS.map(() => true));
  expect(attachment).toMatchObject({ kind: "file", name: "large.bin", bytes: bytes.length });
  const file = await download(ann, attachment.id, "file");
  expect(bytes.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  const range = await download(ann, attachment.id, "file", { range: `bytes=${bytes.length - 10}-` });
  expect(Buffer.from(await range.arrayBuffer())).toEqual(bytes.subarray(-10));
}, 180_000);
