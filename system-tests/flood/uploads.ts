import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { UPLOAD_PART_BYTES } from "@messageoh/contracts/attachments";
import { UPLOADS_PATH } from "@messageoh/contracts/media";

export interface Uploader {
  port: number;
  localAddress: string;
  cookie: string;
  threadId: string;
  picture: Buffer;
  /** Resolves when the next request may be sent, with whether the attack goes on. */
  mayGoOn: () => Promise<boolean>;
  /** Called with the status of each response, or `none`. */
  onResponse: (status: string) => void;
}

/** Uploads the picture. */
export async function uploadOnce({ port, localAddress, mayGoOn, onResponse, ...upload }: Uploader): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, headers: OutgoingHttpHeaders, body?: Buffer) =>
    new Promise<string | undefined>((resolve) => {
      const length = { "content-length": body?.length ?? 0, cookie: upload.cookie, "tus-resumable": "1.0.0" };
      const options = {
        host: "127.0.0.1",
        port,
        localAddress,
        agent,
        method,
        path,
        headers: { ...length, ...headers },
      };
      const sent = request(options, (response) => {
        onResponse(String(response.statusCode));
        response.resume().once("close", () => resolve(response.headers.location));
      });
      sent.once("error", () => {
        onResponse("none");
        resolve(undefined);
      });
      sent.end(body);
    });
  const metadata = `name ${btoa("flood.jpg")},thread_id ${btoa(upload.threadId)}`;
  const length = { "upload-length": upload.picture.length, "upload-metadata": metadata };
  const path = (await mayGoOn()) ? await send("POST", `/messageoh${UPLOADS_PATH}`, length) : undefined;
  for (let offset = 0; path && offset < upload.picture.length && (await mayGoOn()); offset += UPLOAD_PART_BYTES) {
    const part = upload.picture.subarray(offset, offset + UPLOAD_PART_BYTES);
    const headers = { "upload-offset": offset, "content-type": "application/offset+octet-stream" };
    await send("PATCH", path, headers, part);
  }
  agent.destroy();
}
