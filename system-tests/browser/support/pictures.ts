import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** A file as Playwright gives it to a page. */
export interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns a PNG picture of an evening: a hill, the sun, and a sky between two colours. */
export function aPicture(
  name: string,
  width = 640,
  height = 480,
  colours: readonly Colour[] = [CORAL, TEAL],
): TestFile {
  const [from = CORAL, to = TEAL] = colours;
  const row = 1 + 3 * width;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [x / width, y / height];
      const isHill = down > 0.72 + 0.12 * Math.sin(4 * across + 1);
      const isSun = Math.hypot(x - 0.68 * width, y - 0.4 * height) < 0.1 * Math.min(width, height);
      for (const channel of [0, 1, 2] as const) {
        const sky = from[channel] * (1 - down) + to[channel] * down;
        const colour = isHill ? 0.35 * to[channel] : isSun ? 255 : sky;
        pixels[y * row + 1 + 3 * x + channel] = Math.round(colour);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2], 8);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  const buffer = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
  return { name, mimeType: "image/png", buffer };
}

export type Colour = readonly [red: number, green: number, blue: number];
export const CORAL: Colour = [240, 128, 100];
export const TEAL: Colour = [20, 120, 130];
export const NIGHT: Colour = [30, 30, 80];
export const SUN: Colour = [250, 210, 80];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Returns a file of a size in bytes that is no picture. */
export const aFile = (name: string, bytes = 2_000): TestFile => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.alloc(bytes, "Messageoh "),
});

/** Returns a GIF of one pixel that is black and white in turn. */
export function anAnimation(name: string): TestFile {
  const frame = (pixel: string) => `21f904000a000000 2c000000000100010000 0202${pixel}0100`;
  const colours = "000000 ffffff";
  const hex = `474946383961 0100010080 0000 ${colours} ${frame("44")} ${frame("4c")} 3b`.replaceAll(" ", "");
  return { name, mimeType: "image/gif", buffer: Buffer.from(hex, "hex") };
}

/** Returns a picture in the format of an iPhone, made with libheif, which no browser on Linux can show. */
export const aHeic = (name: string): TestFile => ({
  name,
  mimeType: "image/heic",
  buffer: readFileSync(join(import.meta.dirname, "holiday.heic")),
});

/** Returns a silent voice message of a minute in Ogg with Opus, as Firefox records it. */
export const aVoice = (name: string): TestFile => ({
  name,
  mimeType: "audio/ogg",
  buffer: readFileSync(join(import.meta.dirname, "voice.ogg")),
});
