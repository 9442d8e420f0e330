import type { Browser, Page } from "@playwright/test";

/** A task of the page's main thread: start in ms, and CPU time in ms, which other load on the machine does not change. */
export interface Task {
  at: number;
  cpuMs: number;
}

export interface Trace {
  tasks: Task[];
  /** Times in ms of the page's `performance.mark` calls, by name in order. */
  marks: { name: string; at: number }[];
}

interface TraceEvent {
  name: string;
  cat: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const CATEGORIES = ["toplevel", "blink.user_timing", "__metadata"];

/** Runs `work` and returns the tasks of the page's main thread meanwhile, with the CPU throttled by a factor. */
export async function traceTasks(browser: Browser, page: Page, cpu: number, work: () => Promise<void>): Promise<Trace> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  await browser.startTracing(page, { categories: CATEGORIES });
  let recorded: Buffer;
  try {
    await work();
  } finally {
    recorded = await browser.stopTracing();
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await devtools.detach();
  }
  return readTrace(JSON.parse(recorded.toString()).traceEvents);
}

function readTrace(events: readonly TraceEvent[]): Trace {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const threads = Map.groupBy(
    events.filter(({ name, dur }) => name === "ThreadControllerImpl::RunTask" && dur !== undefined),
    threadOf,
  );
  const busiest = events
    .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
    .map((event) => threads.get(threadOf(event)) ?? [])
    .sort((a, b) => cpuOf(b) - cpuOf(a))[0];
  return {
    tasks: (busiest ?? []).map(({ ts, tdur = 0 }) => ({ at: ts / 1000, cpuMs: tdur / 1000 })),
    marks: events
      .filter(({ cat, name }) => cat.includes("blink.user_timing") && name.startsWith("bench "))
      .map(({ name, ts }) => ({ name, at: ts / 1000 }))
      .sort((a, b) => a.at - b.at),
  };
}

const cpuOf = (tasks: readonly TraceEvent[]) => tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
