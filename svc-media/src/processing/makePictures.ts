import sharp from "sharp";
import { rgbaToThumbHash } from "thumbhash";

/** Sides of the two pictures, in pixels. */
const VIEW_MAX = 2_048;
const THUMB_MAX = 320;
/** The longest side of an animation. */
const ANIMATION_MAX = 640;
/** The ThumbHash library takes at most this side. */
const HASH_MAX = 100;
/** Pixels of a picture, over all frames of an animation. */
const PIXELS_MAX = 50_000_000;
/** Frames of an animation; of one with more frames or pixels, only the first frame is shown. */
const FRAMES_MAX = 300;

// Only the decoders of these types, so that a file cannot reach another one.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpeg",
    "VipsForeignLoadPng",
    "VipsForeignLoadWebp",
    "VipsForeignLoadNsgif",
    "VipsForeignLoadHeif",
  ],
});
// One job at a time on one core, without memory for later ones.
sharp.concurrency(1);
sharp.cache(false);

/** The pictures that replace an uploaded one. */
export interface Pictures {
  view: Buffer;
  thumb: Buffer;
  width: number;
  height: number;
  /** In base64. */
  thumbhash: string;
}

/**
 * Decodes a picture and encodes it again as WebP, upright and without metadata. An animation stays one if it is short.
 * Rejects if the file is no picture, damaged, or has too many pixels.
 */
export async function makePictures(path: string): Promise<Pictures> {
  const options = { limitInputPixels: PIXELS_MAX, failOn: "error", sequentialRead: true } as const;
  const { width = 0, pageHeight, height = 0, pages = 1 } = await sharp(path, options).metadata();
  const animated = pages > 1 && pages <= FRAMES_MAX && width * (pageHeight ?? height) * pages <= PIXELS_MAX;
  const side = animated ? ANIMATION_MAX : VIEW_MAX;
  const view = await sharp(path, { ...options, animated })
    .autoOrient()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 80, effort: animated ? 2 : 4 })
    .toBuffer({ resolveWithObject: true });
  // From the small view, so that the original is decoded once. An animation has the thumbnail of its first frame.
  const thumb = await sharp(view.data)
    .resize({ width: THUMB_MAX, height: THUMB_MAX, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
  const raw = await sharp(thumb)
    .resize({ width: HASH_MAX, height: HASH_MAX, fit: "inside", withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    view: view.data,
    thumb,
    width: view.info.width,
    height: view.info.pageHeight ?? view.info.height,
    thumbhash: Buffer.from(rgbaToThumbHash(raw.info.width, raw.info.height, raw.data)).toString("base64"),
  };
}
