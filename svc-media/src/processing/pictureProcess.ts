import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { makePictures, type Pictures } from "./makePictures.ts";

// The process that decodes pictures. A picture that crashes it, or that takes too long, costs only its own job.

/** A response of this process. */
export type PictureResult = { pictures: Pictures } | { error: string };

// Messages come first. Where Linux shares the cores among sessions (`autogroup`), the priority of a process counts within
// its session only, so this process has one of its own, with the same priority.
setPriority(constants.priority.PRIORITY_LOW);
try {
  writeFileSync("/proc/self/autogroup", String(constants.priority.PRIORITY_LOW));
} catch {
  // Another system has no such sessions.
}

process.on("message", async (path: string) => {
  const result: PictureResult = await makePictures(path).then(
    (pictures) => ({ pictures }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(result);
});
// The parent has ended.
process.on("disconnect", () => process.exit());
// The parent ends this process after its own jobs.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
