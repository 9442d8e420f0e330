import sharp from "sharp";

/** Returns a picture of random pixels, which hardly compresses. */
export const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "gray", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  });

/** Returns a JPEG of 60 × 40 pixels with a position, a comment and an orientation: shown upright, it is 40 × 60. */
export const photo = (): Promise<Buffer> =>
  noise(60, 40)
    .jpeg()
    .withExif({
      IFD0: { ImageDescription: "SECRET-COMMENT" },
      IFD3: { GPSLatitude: "52/1 31/1 12/1", GPSLatitudeRef: "N" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** Returns an animated GIF. */
export const animation = (width: number, height: number, frames: number): Promise<Buffer> => {
  const pixels = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill((frame * 40) % 256, frame * width * height * 3, (frame + 1) * width * height * 3);
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } as never })
    .gif({ loop: 0, delay: Array(frames).fill(100) })
    .toBuffer();
};
