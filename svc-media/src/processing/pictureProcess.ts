import { constants } from "node:os";
import { lowerPriority } from "@messageoh/service-kit/priority";
import { makePictures, type Pictures } from "./makePictures.ts";

// The process that decodes pictures. A picture that crashes it, or that takes too long, costs only its own job.

/** A response of this process. */
export type PictureResult = { pictures: Pictures } | { error: string };

// Messages come first, and the files of other users.
lowerPriority(constants.priority.PRIORITY_LOW);

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
