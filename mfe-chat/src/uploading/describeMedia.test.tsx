import { describeMedia } from "./describeMedia.ts";

type Outcome = "loadedmetadata" | "seeked" | "error";

/** Gives media elements of jsdom a file that is 640 by 360 pixels and so many seconds long. */
function fileOf(
  duration: number,
  { load = "loadedmetadata", seek = "seeked" }: { load?: Outcome; seek?: Outcome } = {},
) {
  const sought: number[] = [];
  const happen = (element: HTMLMediaElement, name: Outcome) =>
    queueMicrotask(() => element.dispatchEvent(new Event(name)));
  const define = (prototype: object, name: string, of: PropertyDescriptor) =>
    Object.defineProperty(prototype, name, { configurable: true, ...of });
  define(HTMLMediaElement.prototype, "load", { value: () => undefined });
  define(HTMLMediaElement.prototype, "duration", { get: () => duration });
  define(HTMLVideoElement.prototype, "videoWidth", { get: () => 640 });
  define(HTMLVideoElement.prototype, "videoHeight", { get: () => 360 });
  define(HTMLMediaElement.prototype, "src", {
    set(this: HTMLMediaElement) {
      happen(this, load);
    },
  });
  define(HTMLMediaElement.prototype, "currentTime", {
    set(this: HTMLMediaElement, at: number) {
      sought.push(at);
      happen(this, seek);
    },
  });
  return sought;
}

const drawn: number[][] = [];
beforeEach(() => {
  drawn.length = 0;
  Object.assign(URL, { createObjectURL: () => "blob:file", revokeObjectURL: () => undefined });
  jest.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    drawImage: (_: unknown, ...area: number[]) => void drawn.push(area),
    getImageData: (_x: number, _y: number, w: number, h: number) => ({ data: new Uint8ClampedArray(w * h * 4) }),
  } as never);
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

const described = (kind: "video" | "audio") => describeMedia(new Blob(["bytes"]), kind);

it("finds the size and length of a video, and a preview of a frame after the first", async () => {
  const sought = fileOf(12.34);
  const { thumbhash = "", ...rest } = await described("video");
  expect(rest).toEqual({ width: 640, height: 360, seconds: 12.3 });
  expect(thumbhash).toMatch(/^[\w+/]{6,36}=*$/);
  expect(sought).toEqual([0.5]);
  expect(drawn).toEqual([[0, 0, 100, 56]]);
});

it("takes the frame in the middle of a very short video", async () => {
  const sought = fileOf(0.4);
  await described("video");
  expect(sought).toEqual([0.2]);
});

it("finds the length of a recording", async () => {
  fileOf(65);
  expect(await described("audio")).toEqual({ seconds: 65 });
});

it.each([Number.POSITIVE_INFINITY, Number.NaN, 0, 90_000])("states no length of %d seconds", async (duration) => {
  fileOf(duration);
  expect(await described("audio")).toEqual({});
});

it("keeps the size and length of a video whose frame cannot be drawn", async () => {
  fileOf(12, { seek: "error" });
  expect(await described("video")).toEqual({ width: 640, height: 360, seconds: 12 });
});

it("knows nothing of a file that the browser cannot decode", async () => {
  fileOf(12, { load: "error" });
  expect(await described("video")).toEqual({});
});
