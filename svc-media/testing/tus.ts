import { type MediaState, UPLOADS_PATH } from "@messageoh/contracts/media";
import { API_BASE } from "@messageoh/contracts/request";
import { until } from "@messageoh/service-kit/testing/until";

/** The address of a service, and a user of it. */
export interface Uploader {
  url: string;
  user: string;
}

const headersOf = (user: string) => ({ "tus-resumable": "1.0.0", cookie: `messageoh_session=TOKEN-${user}` });
const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Returns the address of an upload without the gateway, which removes the prefix. */
const direct = (url: string, location: string) => url + location.slice(API_BASE.length);

/** Begins an upload. The metadata and headers can be replaced. */
export const createUpload = (
  { url, user }: Uploader,
  size: number | string,
  metadata: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> => {
  const pairs = { name: "file.bin", thread_id: "ann-bob", ...metadata };
  const text = Object.entries(pairs).map(([name, value]) => `${name} ${base64(value)}`);
  return fetch(url + UPLOADS_PATH, {
    method: "POST",
    headers: { ...headersOf(user), "upload-length": String(size), "upload-metadata": text.join(","), ...headers },
  });
};

/** Sends a request about an upload, by the `Location` of its creation. */
export const callUpload = (
  { url, user }: Uploader,
  method: string,
  location: string,
  {
    offset,
    body,
    headers,
  }: { offset?: number; body?: Uint8Array | ReadableStream; headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(direct(url, location), {
    method,
    headers: {
      ...headersOf(user),
      ...(body && { "content-type": "application/offset+octet-stream" }),
      ...(offset === undefined ? {} : { "upload-offset": String(offset) }),
      ...headers,
    },
    ...(body && { body, duplex: "half" }),
  } as RequestInit);

/** Uploads a file and returns its id. */
export async function upload(
  uploader: Uploader,
  bytes: Uint8Array,
  name = "file.bin",
  threadId = "ann-bob",
): Promise<string> {
  const created = await createUpload(uploader, bytes.length, { name, thread_id: threadId });
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`);
  const location = created.headers.get("location") ?? "";
  const sent = await callUpload(uploader, "PATCH", location, { offset: 0, body: bytes });
  if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`);
  return location.slice(location.lastIndexOf("/") + 1);
}

/** Returns the state of an upload when it is not uploading or processing any more. */
export async function settledState({ url, user }: Uploader, id: string): Promise<MediaState> {
  let state: MediaState = { state: "uploading" };
  await until(async () => {
    const response = await fetch(`${url}/media/${id}`, { headers: headersOf(user) });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    state = (await response.json()) as MediaState;
    return state.state === "ready" || state.state === "refused";
  });
  return state;
}

/** Uploads a file and returns the attachment that it becomes. */
export async function uploadReady(uploader: Uploader, bytes: Uint8Array, name?: string, threadId?: string) {
  const state = await settledState(uploader, await upload(uploader, bytes, name, threadId));
  if (state.state !== "ready") throw new Error(JSON.stringify(state));
  return state.attachment;
}
