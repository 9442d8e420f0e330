import { MEDIA_MAX_PX, MEDIA_MAX_SECONDS } from "@messageoh/contracts/attachments";
import { rgbaToThumbHash } from "thumbhash";

/** Longest time to read the beginning of a file, in milliseconds. A message does not wait longer for its preview. */
const READ_MAX_MS = 5_000;
/** Time of the frame that previews a video, in seconds: the first one is often black. */
const FRAME_AT = 0.5;
/** Longest edge that ThumbHash takes, in pixels. */
const HASH_MAX_PX = 100;

export interface MediaDescription {
  width?: number;
  height?: number;
  thumbhash?: string;
  seconds?: number;
}

/**
 * Returns the size, length and preview of a video, or the length of a recording, as far as the browser can decode it.
 */
export async function describeMedia(file: Blob, kind: "video" | "audio"): Promise<MediaDescription> {
  const element = document.createElement(kind);
  const url = URL.createObjectURL(file);
  try {
    Object.assign(element, { muted: true, playsInline: true, preload: "auto" });
    const isRead = next(element, "loadedmetadata");
    element.src = url;
    await isRead;
    const { duration } = element;
    // A recording of a browser has no known length.
    const length = duration > 0 && duration <= MEDIA_MAX_SECONDS ? { seconds: Math.round(duration * 10) / 10 } : {};
    return element instanceof HTMLVideoElement ? { ...length, ...(await looksOf(element)) } : length;
  } catch (error) {
    console.warn("A file is sent without its size and length", error);
    return {};
  } finally {
    element.removeAttribute("src");
    element.load();
    URL.revokeObjectURL(url);
  }
}

async function looksOf(video: HTMLVideoElement): Promise<MediaDescription> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0 || Math.max(width, height) > MEDIA_MAX_PX) return {};
  const thumbhash = await previewOf(video).catch((error: unknown) => {
    console.warn("A video is sent without its preview", error);
    return undefined;
  });
  return { width, height, ...(thumbhash !== undefined && { thumbhash }) };
}

async function previewOf(video: HTMLVideoElement): Promise<string | undefined> {
  const { videoWidth: width, videoHeight: height, duration } = video;
  const isThere = next(video, "seeked");
  video.currentTime = Number.isFinite(duration) ? Math.min(FRAME_AT, duration / 2) : FRAME_AT;
  await isThere;
  const scale = Math.min(1, HASH_MAX_PX / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const canvas = Object.assign(document.createElement("canvas"), { width: w, height: h });
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  context.drawImage(video, 0, 0, w, h);
  const hash = rgbaToThumbHash(w, h, context.getImageData(0, 0, w, h).data);
  return btoa(String.fromCharCode(...hash));
}

/**
 * Resolves with the next event of a name. Rejects if the browser cannot decode the file, or after {@link READ_MAX_MS}.
 */
function next(element: HTMLMediaElement, name: "loadedmetadata" | "seeked"): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(READ_MAX_MS);
    element.addEventListener(name, resolve, { once: true });
    element.addEventListener("error", () => reject(element.error), { once: true });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
