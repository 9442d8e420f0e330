import { Histogram } from "@messageoh/service-kit/metrics";
import type { MediaRow } from "../media/media.model.ts";
import { type Storage, storageKey } from "../storage/storage.ts";
import type { Scan } from "./clamd.ts";
import { type ContentType, readContentType } from "./contentType.ts";
import type { Pictures } from "./makePictures.ts";
import { NoPictureProcess, type PictureMaker } from "./pictures.ts";

const seconds = new Histogram({
  name: "messageoh_media_processing_seconds",
  help: "Time to examine a file and make its pictures, by kind",
  labelNames: ["kind"],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

/** What a file turned out to be: fields of its row. */
export type Examined =
  | (Required<Pick<MediaRow, "content" | "stored_bytes">> & { state: "ready" })
  | (Required<Pick<MediaRow, "error">> & { state: "refused" });

export interface ExamineOptions {
  storage: Storage;
  pictures: PictureMaker;
  /** Checks a file for malware. */
  scan?: Scan | undefined;
}

/**
 * Returns a function that examines an uploaded file by its content and stores the pictures of a picture. It rejects if
 * the storage, the malware scanner or the process for pictures fails; the same file can be examined again.
 */
export function createExamine({ storage, pictures, scan }: ExamineOptions) {
  const decode = (key: string) =>
    storage.withFile(key, (path) =>
      pictures.make(path).catch((error: unknown) => {
        if (error instanceof NoPictureProcess) throw error;
        // A file that cannot be shown can still be downloaded.
        return undefined;
      }),
    );

  async function storePictures(key: string, { view, thumb, width, height, thumbhash }: Pictures): Promise<Examined> {
    await storage.put(`${key}.view`, view, "image/webp");
    await storage.put(`${key}.thumb`, thumb, "image/webp");
    const content = { kind: "picture", bytes: view.length, type: "image/webp", width, height, thumbhash } as const;
    return { state: "ready", content, stored_bytes: view.length + thumb.length };
  }

  async function examineContent(
    key: string,
    size: number,
    stated: MediaRow["stated"],
  ): Promise<[kind: ContentType["kind"], Examined]> {
    const { kind, type } = await readContentType(storage, key, size);
    if (kind === "picture") {
      const made = await decode(key);
      if (made) return [kind, await storePictures(key, made)];
    }
    const shown = kind === "picture" ? "file" : kind;
    const content = { ...statedOf(shown, stated), kind: shown, bytes: size, type };
    return [shown, { state: "ready", content, stored_bytes: size }];
  }

  return async ({ _id, size, stated }: Pick<MediaRow, "_id" | "size" | "stated">): Promise<Examined> => {
    const key = storageKey(_id);
    const startedAt = performance.now();
    const malware = scan && (await scan(await storage.read(key)));
    if (malware) return { state: "refused", error: malware };
    const [kind, examined] = await examineContent(key, size, stated);
    seconds.observe({ kind }, (performance.now() - startedAt) / 1_000);
    return examined;
  };
}

/** Returns what an uploader may say about a file of this kind. The server decodes only pictures. */
function statedOf(kind: ContentType["kind"], stated: MediaRow["stated"] = {}): MediaRow["stated"] {
  const { seconds, wave, ...frame } = stated;
  if (kind === "video") return { ...frame, ...(seconds !== undefined && { seconds }) };
  if (kind !== "audio" || seconds === undefined) return {};
  return { seconds, ...(wave !== undefined && { wave }) };
}
