import type { TestFile } from "./pictures.ts";

/** A packet of Opus that lasts 20 ms and contains silence. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const PACKET_SECONDS = 0.02;
/** A page holds at most 255. */
const PACKETS_PER_PAGE = 250;
/** Ogg counts Opus in samples at 48 kHz. */
const SAMPLES = 48_000;
const SERIAL = 1;

/** Returns a silent voice message in Ogg with Opus, as Firefox records it. */
export function aVoice(name: string, seconds: number): TestFile {
  // Version, one channel, no samples to skip, rate of the input, no gain, one stream.
  const head = Buffer.concat([Buffer.from("OpusHead"), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])]);
  const tags = Buffer.concat([Buffer.from("OpusTags"), Buffer.alloc(8)]);
  const count = Math.round(seconds / PACKET_SECONDS);
  const pages = [page([head], 0, 0, 2), page([tags], 1, 0, 0)];
  for (let begin = 0; begin < count; begin += PACKETS_PER_PAGE) {
    const end = Math.min(count, begin + PACKETS_PER_PAGE);
    const packets = new Array(end - begin).fill(SILENCE);
    pages.push(page(packets, pages.length, end * PACKET_SECONDS * SAMPLES, end === count ? 4 : 0));
  }
  return { name, mimeType: "audio/ogg", buffer: Buffer.concat(pages) };
}

function page(packets: readonly Buffer[], index: number, samples: number, flags: number): Buffer {
  const header = Buffer.alloc(27 + packets.length);
  header.write("OggS");
  header[5] = flags;
  header.writeUInt32LE(samples, 6);
  header.writeUInt32LE(SERIAL, 14);
  header.writeUInt32LE(index, 18);
  header[26] = packets.length;
  for (const [at, { length }] of packets.entries()) header[27 + at] = length;
  const bytes = Buffer.concat([header, ...packets]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

/** Returns the CRC of Ogg, whose bits are in another order than those of the usual one. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}
