import { API_BASE, ApiError, errorIn } from "@messageoh/contracts/client";
import { EXPORT_BYTES_HEADER, exportMedia } from "@messageoh/contracts/media";
import { EXPORT_TOTAL_HEADER, exportData } from "@messageoh/contracts/messages";

export interface DownloadOptions {
  userId: string;
  /** Called with the share that has arrived, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

const NEW_LINE = "\n".charCodeAt(0);
/** Parts are put together at this size, because browsers keep a large Blob on the disk. */
const PARTS_MAX_BYTES = 16 * 1024 * 1024;

function lines(part: Uint8Array): number {
  let count = 0;
  for (const byte of part) if (byte === NEW_LINE) count += 1;
  return count;
}

/**
 * Downloads all data of the user as a JSON file and reports the progress: each message is one line. Rejects with
 * ApiError, also if the response ends early.
 */
export const downloadData = (options: DownloadOptions): Promise<Blob> =>
  download(exportData.path, EXPORT_TOTAL_HEADER, lines, options);

/** Downloads the files of all messages as a ZIP file, like {@link downloadData}. */
export const downloadFiles = (options: DownloadOptions): Promise<Blob> =>
  download(exportMedia.path, EXPORT_BYTES_HEADER, ({ length }) => length, options);

/**
 * @param totalHeader contains the sum of what `measure` returns for all parts, as far as the server knows it
 */
async function download(
  path: string,
  totalHeader: string,
  measure: (part: Uint8Array) => number,
  { userId, onProgress, signal }: DownloadOptions,
): Promise<Blob> {
  try {
    const url = API_BASE + path.replace(":user_id", encodeURIComponent(userId));
    const response = await fetch(url, { credentials: "same-origin", signal });
    if (!response.ok || !response.body) throw new ApiError(response.status, errorIn(await response.json()));
    const total = Number(response.headers.get(totalHeader)) || 1;
    const type = response.headers.get("content-type") ?? "";
    const reader = response.body.getReader();
    let parts: BlobPart[] = [];
    let [arrived, waiting] = [0, 0];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      waiting += value.length;
      if (waiting > PARTS_MAX_BYTES) [parts, waiting] = [[new Blob(parts)], 0];
      arrived += measure(value);
      onProgress(Math.min(1, arrived / total));
    }
    return new Blob(parts, { type });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, undefined, { cause: error });
  }
}
