import { resize } from "./resize.ts";

// Resizes one picture beside the page: decoding blocks a phone for a second.
addEventListener("message", ({ data }: MessageEvent<Blob>) => {
  resize(data).then(
    (resized) => postMessage(resized),
    () => postMessage(null),
  );
});
