/** Edge of a sent picture in pixels. */
const PICTURE_MAX_PX = 2048;
const WEBP = { type: "image/webp", quality: 0.8 } as const;
/** For browsers that encode no WebP and return another type without an error. */
const JPEG = { type: "image/jpeg", quality: 0.85 } as const;

/** A picture without its metadata, upright. */
export interface Resized {
  content: Blob;
  width: number;
  height: number;
}

/**
 * Decodes a picture and encodes it again with edges of at most {@link PICTURE_MAX_PX} pixels. Rejects if the browser
 * cannot decode it.
 */
export async function resize(file: Blob): Promise<Resized> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const scale = Math.min(1, PICTURE_MAX_PX / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const webp = await encode(bitmap, width, height, WEBP);
    const content = webp.type === WEBP.type ? webp : await encode(bitmap, width, height, JPEG);
    return { content, width, height };
  } finally {
    bitmap.close();
  }
}

async function encode(
  bitmap: ImageBitmap,
  width: number,
  height: number,
  format: { type: string; quality: number },
): Promise<Blob> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (!context) throw new Error("The browser has no canvas");
  if (format === JPEG) {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  // Firefox also has an older `toBlob` there, which takes no function.
  if ("convertToBlob" in canvas) return canvas.convertToBlob(format);
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error("The picture could not be encoded")));
    canvas.toBlob(done, format.type, format.quality);
  });
}

function createCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas !== "undefined") return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement("canvas"), { width, height });
}
