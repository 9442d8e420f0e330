import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseMetrics, type Sample, sumOf } from "@messageoh/service-kit/metricsText";
import type { ProcessEntry } from "../processes/part.ts";
import { PlainError } from "../say.ts";

const PROBE_MS = 2_000;

/** Ready to work, alive without being ready, without an answer, or, of engines, just there. */
export type Health = "ready" | "not ready" | "silent" | "running";

/** One part of a stack at one moment. What a part has not is null. */
export interface PartState {
  name: string;
  pid: number;
  port: number;
  health: Health;
  sockets: number | null;
  websockets: number | null;
  /** Messages since its start: taken from clients or stored, and brought to sockets. */
  messagesIn: number | null;
  messagesOut: number | null;
  waiting: number | null;
  memoryBytes: number | null;
}

/** Looks at every part of the stack that keeps its data in `dataDir`. */
export async function look(dataDir: string): Promise<PartState[]> {
  const [entries, memory] = await Promise.all([readProcesses(dataDir), memoryByGroup()]);
  return Promise.all(
    entries.map(async (entry) => {
      const samples = entry.name.startsWith("svc-") ? await scrape(entry.port) : [];
      return {
        ...entry,
        health: await healthOf(entry),
        ...figuresOf(entry.name, samples),
        memoryBytes: memory.get(entry.pid) ?? null,
      };
    }),
  );
}

async function readProcesses(dataDir: string): Promise<ProcessEntry[]> {
  const text = await readFile(join(dataDir, "processes.json"), "utf8").catch(() => "[]");
  const entries = JSON.parse(text) as ProcessEntry[];
  if (entries.length > 0) return entries;
  throw new PlainError(
    `Nothing runs in ${dataDir}. Start it with npm start, or name another stack's folder in DATA_DIR.`,
  );
}

async function healthOf({ name, pid, port }: ProcessEntry): Promise<Health> {
  const ask = (path: string) => statusOf(`http://127.0.0.1:${port}${path}`);
  if (name.startsWith("svc-")) {
    if ((await ask("/readyz")) === 200) return "ready";
    return (await ask("/healthz")) === 200 ? "not ready" : "silent";
  }
  if (name === "gateway") {
    const status = await ask("/healthz");
    if (status === 200) return "ready";
    if (status === 503) return "not ready";
    // With a certificate it answers otherwise to this question: it is there.
    return status === undefined ? "silent" : "running";
  }
  return isAlive(pid) ? "running" : "silent";
}

/** The status that a GET answers, if it does in time. */
async function statusOf(address: string): Promise<number | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function scrape(port: number): Promise<Sample[]> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(PROBE_MS) });
    return parseMetrics(await response.text());
  } catch {
    return [];
  }
}

function figuresOf(part: string, samples: Sample[]) {
  const figure = (name: string, labels?: Record<string, string>) =>
    samples.some((sample) => sample.name === name) ? sumOf(samples, name, labels) : null;
  const isRealtime = part.startsWith("svc-realtime");
  return {
    sockets: figure("messageoh_realtime_sockets"),
    websockets: figure("messageoh_realtime_sockets", { transport: "websocket" }),
    messagesIn: figure(isRealtime ? "messageoh_realtime_sends_total" : "messageoh_messages_stored_total"),
    messagesOut: figure("messageoh_realtime_deliveries_total"),
    waiting: figure("messageoh_batcher_waiting_items"),
  };
}

/** Bytes that each process group holds: every part is one. Nothing where there is no `ps`. */
async function memoryByGroup(): Promise<Map<number, number>> {
  const held = new Map<number, number>();
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pgid=,rss="]).catch(() => ({ stdout: "" }));
  for (const line of stdout.trim().split("\n")) {
    const [group = Number.NaN, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    held.set(group, (held.get(group) ?? 0) + kilobytes * 1_024);
  }
  return held;
}
