import { UPLOADS_PATH } from "@messageoh/contracts/media";
import { API_BASE } from "@messageoh/contracts/request";
import { type Locker, Server } from "@tus/server";
import type { Context } from "koa";
import { NodeRequest } from "srvx/node";
import { type Storage, storageKey } from "../storage/storage.ts";
import { tusError, uploadError } from "./uploadErrors.ts";

/** Time of a request to store what it has received, when another request waits for its upload, in milliseconds. */
const DRAIN_MS = 500;
/** Headers of the library's responses that clients get. It also sets those of CORS. */
const HEADERS = /^(tus-|upload-|location$)/;

/** Called before a response when the last byte of an upload has arrived. */
type OnComplete = (id: string) => Promise<void>;

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/**
 * Returns a function that handles a request of the tus protocol and writes the response. It rejects with an
 * `HttpError`. The caller has decided that the user may make this request, and passes the id of the upload: the library
 * would look for it at the end of the URL, where a query can name another upload.
 */
export function createTusServer(storage: Storage, locker: Locker, onComplete: OnComplete) {
  const ids = new WeakMap<object, string>();
  const keyOf = (request: object) => storageKey(ids.get(request) ?? "");
  const failures = new WeakMap<object, unknown>();
  const server = new Server({
    path: UPLOADS_PATH,
    datastore: storage.uploads,
    locker,
    lockDrainTimeout: DRAIN_MS,
    namingFunction: keyOf,
    generateUrl: (_request, { id }) => `${API_BASE}${UPLOADS_PATH}/${idOf(id)}`,
    getFileIdFromRequest: keyOf,
    async onUploadFinish(_request, { id }) {
      await onComplete(idOf(id));
      return {};
    },
    onResponseError(request, error) {
      failures.set(request, error);
      return { status_code: 500, body: "" };
    },
  });

  return async (ctx: Context, id: string): Promise<void> => {
    const request = new NodeRequest({ req: ctx.req, res: ctx.res });
    ids.set(request, id);
    const response = await server.handleWeb(request);
    if (failures.has(request)) throw uploadError(failures.get(request));
    if (response.status >= 400) throw tusError(response.status);
    for (const [name, value] of response.headers) if (HEADERS.test(name)) ctx.set(name, value);
    ctx.body = null;
    ctx.status = response.status;
  };
}
