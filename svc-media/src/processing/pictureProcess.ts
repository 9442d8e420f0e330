import { constants } from "node:os";
import { lowerPriority } from "@messageoh/service-kit/priority";
import { makePictures, type Pictures } from "./makePictures.ts";

// The process that decodes pictures. A picture that crashes it, or that takes too long, costs only its own job.

/** A picture to decode, and the longest CPU time for it in milliseconds. */
export type PictureJob = { path: string; cpuMaxMs: number };
/** A response of this process. */
export type PictureResult = { pictures: Pictures } | { error: string };

const CPU_CHECK_MS = 200;

// Messages come first.
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);

process.on("message", async ({ path, cpuMaxMs }: PictureJob) => {
  const before = process.cpuUsage();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    // An ordinary exit would wait for the picture.
    if ((user + system) / 1_000 > cpuMaxMs) process.kill(process.pid, "SIGKILL");
  }, CPU_CHECK_MS);
  const result: PictureResult = await makePictures(path).then(
    (pictures) => ({ pictures }),
    (error: Error) => ({ error: error.message }),
  );
  clearInterval(watch);
  process.send?.(result);
});
// The parent has ended.
process.on("disconnect", () => process.exit());
// The parent ends this process after its own jobs.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
