import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A file that pretends to be something else or costs much, and what the server must make of it. */
interface BadFile {
  name: string;
  bytes: Buffer<ArrayBuffer>;
  kind: "picture" | "file";
  /** Bytes that must not be in any download. */
  without?: string;
}

const ZIP = Buffer.from("504b0304140000000000000000000000000000000000000000000000000061504b0102", "hex");
const SCRIPT = "<script>alert(document.domain)</script>";
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><foreignObject>${SCRIPT}</foreignObject></svg>`;
/** Sides of a picture of 400 megapixels that takes up 50 kB. */
const BOMB_SIDE = 20_000;

/** Returns the files of a run. */
export async function badFiles(): Promise<BadFile[]> {
  const base = sharp({ create: { width: 1_200, height: 800, channels: 3, background: "teal" } });
  const jpeg = await base
    .clone()
    .withExif({ IFD0: { ImageDescription: "SECRET PLACE" } })
    .jpeg()
    .toBuffer();
  const file = (name: string, bytes: Buffer | string): BadFile => ({ name, bytes: Buffer.from(bytes), kind: "file" });
  const picture = (name: string, bytes: Buffer, without: string): BadFile => ({
    name,
    bytes: Buffer.from(bytes),
    kind: "picture",
    without,
  });
  return [
    picture("exif.jpg", jpeg, "SECRET PLACE"),
    picture("polyglot.jpg", Buffer.concat([jpeg, ZIP]), "PK\x03\x04"),
    picture("script in a comment.jpg", withComment(jpeg, SCRIPT), SCRIPT),
    file("bomb.png", pixelBomb()),
    file("truncated.jpg", jpeg.subarray(0, jpeg.length / 2)),
    file("header only.png", pixelBomb().subarray(0, 33)),
    file("zip.jpg", ZIP),
    file("scripts.svg", SVG),
    file("svg.png", SVG),
    file("page.html", `<!doctype html>${SCRIPT}`),
    file("page.jpg", `<!doctype html>${SCRIPT}`),
    file("gif.gif", `GIF89a/*${SCRIPT}*/=1;`),
    file("zeros.bin", Buffer.alloc(1)),
  ];
}

/** Inserts a comment after the first marker of a JPEG. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
}

/** Returns a valid PNG with one bit per pixel. */
function pixelBomb(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(BOMB_SIDE, 0);
  header.writeUInt32BE(BOMB_SIDE, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(BOMB_SIDE * (BOMB_SIDE / 8 + 1)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}
