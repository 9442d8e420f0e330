import pLimit from "p-limit";
import { describeMedia, type MediaDescription } from "./describeMedia.ts";
import { type Resized, resize } from "./resize.ts";

/** What is known of a chosen file when it can be sent. Without `content`, the file is sent as it is. */
export interface Prepared extends MediaDescription {
  content?: Blob;
  name?: string;
  bytes?: number;
  type?: string;
  note?: string;
}

const PICTURE = /^image\/(?:jpeg|png|webp|avif|bmp|gif|hei[cf])/;
const HEIC = /^image\/hei[cf]|\.hei[cf]$/i;
/** Larger ones could exhaust the memory of a phone; the server decides about them. */
const PICTURE_MAX_BYTES = 50_000_000;
const RESIZE_MAX_MS = 20_000;
const UNKNOWN_PICTURE = "This browser cannot show the picture, so it is sent as a file.";

/** Several at once would need too much memory. */
const resizing = pLimit(1);

/**
 * Makes a picture smaller and removes its metadata, and finds out how a video looks and how long a recording is.
 * Animated GIF and WebP pictures and other files are sent as they are, and pictures that the browser cannot decode. An
 * animated PNG or AVIF picture becomes a still one.
 */
export async function prepare(file: Blob, name: string): Promise<Prepared> {
  const kind = /^(?:video|audio)(?=\/)/.exec(file.type)?.[0] as "video" | "audio" | undefined;
  if (kind) return describeMedia(file, kind);
  const isHeic = HEIC.test(file.type) || HEIC.test(name);
  if (!(isHeic || PICTURE.test(file.type)) || file.size > PICTURE_MAX_BYTES) return {};
  if (await isAnimated(file)) return sizeOf(file);
  const resized = await resizing(() => resizeInWorker(file));
  if (!resized) return isHeic ? { note: UNKNOWN_PICTURE } : {};
  const { content, width, height } = resized;
  const { size: bytes, type } = content;
  return { content, bytes, type, width, height, name: withExtension(name, type) };
}

/** Returns a name that ends as its type says. */
function withExtension(name: string, type: string): string {
  const extension = type === "image/webp" ? "webp" : "jpg";
  return `${name.replace(/\.(?:jpe?g|jfif|png|webp|avif|bmp|hei[cf])$/i, "")}.${extension}`;
}

/** Returns whether a picture may be an animated GIF or WebP. */
async function isAnimated(file: Blob): Promise<boolean> {
  if (file.type === "image/gif") return true;
  if (file.type !== "image/webp") return false;
  const header = new Uint8Array(await file.slice(0, 21).arrayBuffer());
  const isExtended = new TextDecoder().decode(header.slice(12, 16)) === "VP8X";
  return isExtended && ((header[20] ?? 0) & 0b10) !== 0;
}

async function sizeOf(file: Blob): Promise<Prepared> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return {};
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/** Resizes a picture in a worker, or in the page if that fails. Resolves with `null` if it cannot be decoded. */
async function resizeInWorker(file: Blob): Promise<Resized | null> {
  if (typeof Worker === "undefined" || typeof OffscreenCanvas === "undefined") return resizeHere(file);
  // A worker per picture returns its memory.
  const worker = new Worker(new URL("./resizeWorker.ts", import.meta.url));
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Resized | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Resized | null>) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message || "The worker could not be started"));
      timer = setTimeout(() => reject(new Error("The picture took too long")), RESIZE_MAX_MS);
      worker.postMessage(file);
    });
  } catch (error) {
    console.warn("A picture is not resized in a worker", error);
    return resizeHere(file);
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

const resizeHere = (file: Blob) => resize(file).catch(() => null);
