import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Pictures } from "./makePictures.ts";
import type { PictureJob, PictureResult } from "./pictureProcess.ts";

/** Longest CPU time of a job, in milliseconds: the elapsed time depends on how busy the machine is. */
const CPU_MAX_MS = 10_000;
/** Longest elapsed time of a job, in milliseconds. */
const JOB_MAX_MS = 60_000;
/** Settings of glibc: memory of a picture goes back to the system. Otherwise the process keeps 100 MB more. */
const RETURNS_MEMORY = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536", MALLOC_MMAP_THRESHOLD_: "65536" };

/** The process could not be started or reached, which says nothing about the picture. */
export class NoPictureProcess extends Error {}

export interface PictureMaker {
  /**
   * Makes the pictures of a file. Rejects if it is no picture that can be shown, and with {@link NoPictureProcess}. One
   * call at a time.
   */
  make: (path: string) => Promise<Pictures>;
  /** Returns the id of the process, if it runs. */
  pid: () => number | undefined;
  close: () => void;
}

/**
 * Creates the process that decodes pictures, at the first one. If it crashes or a job takes too long, that job rejects
 * and the next one gets a new process.
 */
export function createPictureMaker({ cpuMaxMs = CPU_MAX_MS, jobMaxMs = JOB_MAX_MS } = {}): PictureMaker {
  let child: ChildProcess | undefined;

  function start(): ChildProcess {
    const started = fork(join(import.meta.dirname, "pictureProcess.ts"), {
      // A session of its own, for its priority.
      detached: true,
      // Buffers pass as they are.
      serialization: "advanced",
      execArgv: ["--max-semi-space-size=1", "--max-old-space-size=64"],
      env: { ...process.env, ...RETURNS_MEMORY, NODE_OPTIONS: "" },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // An idle process keeps neither this one nor a test alive.
    started.unref();
    started.channel?.unref();
    const forget = () => {
      if (child === started) child = undefined;
    };
    // A process that could not be started does not exit.
    started.once("exit", forget).once("error", forget);
    return started;
  }

  return {
    make(path) {
      child ??= start();
      const used = child;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          used.kill("SIGKILL");
          // The next job must not get the process that is about to end.
          if (child === used) child = undefined;
          end(() => reject(new Error(`a picture took longer than ${jobMaxMs} ms`)));
        }, jobMaxMs);
        const onMessage = (result: PictureResult) =>
          end(() => ("pictures" in result ? resolve(result.pictures) : reject(new Error(result.error))));
        const onExit = (code: number | null, signal: string | null) =>
          end(() => reject(new Error(`the picture process ended with ${signal ?? code}`)));
        const onError = (cause: Error) => end(() => reject(new NoPictureProcess(cause.message, { cause })));
        const end = (settle: () => void) => {
          clearTimeout(timer);
          used.off("message", onMessage).off("exit", onExit).off("error", onError);
          settle();
        };
        used.on("message", onMessage).on("exit", onExit).on("error", onError);
        used.send({ path, cpuMaxMs } satisfies PictureJob, (error) => {
          if (error) onError(error);
        });
      });
    },
    pid: () => child?.pid,
    close() {
      child?.kill("SIGKILL");
      child = undefined;
    },
  };
}
