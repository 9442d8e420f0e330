import { ApiError } from "@messageoh/contracts/client";
import type { ChatApi } from "../fetching/chatApi.ts";
import type { FileStore } from "../outbox/fileStore.ts";
import type { UploadFile } from "../outbox/uploads.ts";

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
    const content = await files.get(file.key);
    if (!content) throw new ApiError(410, FILES_GONE);
    const { uploadFile } = await import("./uploadFile.ts");
    return uploadFile({ call: api.call, thread_id, file, content, ...watch });
  };
