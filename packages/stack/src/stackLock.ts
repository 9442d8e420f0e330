import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { logProgress, PlainError } from "./command/progress.ts";
import { until } from "./ports.ts";
import { isAlive } from "./processes/groups.ts";
import { readProcStat } from "./processes/procStat.ts";

type Holder = { pid: number; birth?: string };
type LockFile = { starter: Holder; watchdog?: Holder };

const CLEARING_MS = 40_000;

/** Prevents a second stack on the same data folder. */
export class StackLock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Locks the folder. If a starter was killed, waits until its watchdog has ended the processes. */
  static async take(dataDir: string): Promise<StackLock> {
    await makePrivate(dataDir);
    const lock = new StackLock(join(dataDir, "stack.lock"));
    while (!lock.#create()) {
      const held = lock.#read();
      if (held && isHeldBy(held.starter)) {
        throw new PlainError(
          `A stack already runs on ${dataDir} (pid ${held.starter.pid}). Set DATA_DIR to another folder.`,
        );
      }
      const watchdog = held?.watchdog;
      if (watchdog && isHeldBy(watchdog)) {
        logProgress("waiting for the processes of a killed stack to end ...");
        await until(() => !isHeldBy(watchdog), CLEARING_MS, 100);
      }
      rmSync(lock.#file, { force: true });
    }
    return lock;
  }

  /** Records the watchdog, for the next start in case this process is killed. */
  addWatchdog(pid: number | undefined): void {
    if (pid !== undefined) this.#write({ starter: me(), watchdog: { pid, birth: readProcStat(pid)?.birth } });
  }

  release(): void {
    rmSync(this.#file, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#file, JSON.stringify({ starter: me() }), { flag: "wx" });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    }
  }

  #write(content: LockFile): void {
    writeFileSync(this.#file, JSON.stringify(content));
  }

  #read(): LockFile | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as LockFile;
    } catch {
      return undefined;
    }
  }
}

const STICKY = 0o1000;

/** Creates the folder with mode 0700. Also sets this mode on an empty folder or one of a stack, but not on `/tmp`. */
async function makePrivate(dir: string): Promise<void> {
  if ((await mkdir(dir, { recursive: true, mode: 0o700 })) !== undefined) return;
  const { mode, uid } = await stat(dir);
  const files = await readdir(dir);
  const isOurs = uid === process.getuid?.() && (files.length === 0 || files.includes("stack.json"));
  if (isOurs && !(mode & STICKY)) await chmod(dir, 0o700);
}

const me = (): Holder => ({ pid: process.pid, birth: readProcStat(process.pid)?.birth });

function isHeldBy({ pid, birth }: Holder): boolean {
  return isAlive(pid) && (birth === undefined || readProcStat(pid)?.birth === birth);
}
