import { setTimeout as pause } from "node:timers/promises";
import type { TestFile } from "./pictures.ts";
import type { ProtocolClient } from "./protocolClient.ts";

/**
 * Uploads a file and sends it to a friend, without a browser.
 * @param stated what the uploader states about the file, for example its length
 */
export async function share(
  from: ProtocolClient,
  to: ProtocolClient,
  { name, buffer }: TestFile,
  stated: Record<string, string> = {},
): Promise<void> {
  const thread_id = await from.befriend(to);
  const tus = async (path: string, method: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) => {
    const response = await fetch(from.baseUrl + path, {
      method,
      body,
      headers: { cookie: from.cookie, "tus-resumable": "1.0.0", ...headers },
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const metadata = Object.entries({ name, thread_id, ...stated })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join();
  const created = await tus("/messageoh/media/uploads", "POST", {
    "upload-length": String(buffer.length),
    "upload-metadata": metadata,
  });
  const path = created.headers.get("location") ?? "";
  const type = "application/offset+octet-stream";
  await tus(path, "PATCH", { "content-type": type, "upload-offset": "0" }, new Uint8Array(buffer));
  const id = path.slice(path.lastIndexOf("/") + 1);
  const isReady = async () => {
    const { status, body } = await from.call("GET", `/media/${id}`);
    const { state } = body as { state?: string };
    if (status >= 400 || state === "refused")
      throw new Error(`The state of ${name}: ${status} ${JSON.stringify(body)}`);
    return state === "ready";
  };
  while (!(await isReady())) await pause(50);
  const socket = from.socket?.connected ? from.socket : await from.connect();
  const message = { thread_id, sending_user_id: from.id, recipient_user_id: to.id, read: false, text: name };
  const sent = { ...message, timestamp: new Date().toISOString(), attachments: [id] };
  const answer = await socket.timeout(15_000).emitWithAck("send_message", sent);
  if (answer.error) throw new Error(answer.error);
}
