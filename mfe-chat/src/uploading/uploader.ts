import { ApiError } from "@messageoh/contracts/client";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { FileStore } from "../outbox/fileStore.ts";
import type { PrepareFile, UploadFile } from "../outbox/uploads.ts";

/** Shown for a message whose files were removed from the browser, for example at the end of the session. */
const FILES_GONE = "The files are no longer in this browser. Attach them again.";

export interface UploaderOptions {
  api: Pick<ChatApi, "call">;
  files: Pick<FileStore, "get">;
}

/** Returns the function that uploads a file of an unsent message. Its code is loaded with the first file. */
export const createUploader =
  ({ api, files }: UploaderOptions): UploadFile =>
  async ({ thread_id }, file, watch) => {
    const content = await contentOf(files, file.key);
    const { uploadFile } = await import("./uploadFile.ts");
    return uploadFile({ call: api.call, thread_id, file, content, ...watch });
  };

/** Returns the function that prepares a file of an unsent message. */
export const createPreparer =
  (files: Pick<FileStore, "get" | "hold" | "save" | "remove">): PrepareFile =>
  async ({ key, original = key, name }, { signal, onPrepared }) => {
    const chosen = await contentOf(files, original);
    const { prepareOnce } = await import("./prepareOnce.ts");
    const { content, note, ...known } = await prepareOnce(chosen, name);
    signal.throwIfAborted();
    if (!content) {
      onPrepared({ ...known, key: original, original: undefined });
      return;
    }
    files.hold(key, content);
    const isSaved = await files.save([key]);
    signal.throwIfAborted();
    onPrepared({ ...known, original: undefined });
    // Otherwise it is prepared again after a reload.
    if (isSaved) files.remove([original]);
  };

async function contentOf(files: Pick<FileStore, "get">, key: string): Promise<Blob> {
  const content = await files.get(key);
  if (!content) throw new ApiError(410, FILES_GONE);
  return content;
}
