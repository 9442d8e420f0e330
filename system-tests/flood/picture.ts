import sharp from "sharp";

const BYTES = 10_000_000;

/** Returns a picture of 12 megapixels and 10 MB, which costs the server the most for its size. */
export async function makePicture(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 24 } as const;
  const create = { width: 4_000, height: 3_000, channels: 3, background: "grey", noise } as const;
  const jpeg = await sharp({ create }).jpeg({ quality: 88 }).toBuffer();
  return Buffer.concat([jpeg, Buffer.alloc(Math.max(0, BYTES - jpeg.length))]);
}
