import { randomBytes } from "node:crypto";
import { UPLOADS_PATH } from "@messageoh/contracts/media";
import { until } from "@messageoh/stack/ports";
import { Account } from "../client/account.ts";
import { createUpload, download, sendPart, tusHeaders, uploadMetadata } from "../client/media.ts";
import type { Findings } from "./findings.ts";

const BYTES = randomBytes(300_000);
const AT_ONCE = 8;

/** Sends malformed requests of the tus protocol. Each must get a status of its own and change nothing else. */
export async function sendUploads(url: string, findings: Findings): Promise<void> {
  const { ann, bob, thread_id } = await Account.registerFriends(url);
  const stranger = await Account.register(url, "Stranger");
  const expectStatus = async (about: string, sending: Promise<Response>, ...statuses: number[]) => {
    findings.count("malformed uploads");
    const response = await sending;
    const text = await response.text();
    if (!statuses.includes(response.status))
      findings.fault("an upload has the wrong status", `${about}: ${response.status} ${text}`);
    // The body of a HEAD is empty.
    const isJson = text === "" || typeof (JSON.parse(text) as { error?: unknown }).error === "string";
    if (response.status >= 400 && !isJson) findings.fault("an upload has no error text", `${about}: ${text}`);
  };
  const create = (length: number | string, metadata: Record<string, string> = {}, account = ann) =>
    createUpload(account, length, { name: "a.bin", thread_id, ...metadata });
  const send = (method: string, path: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) =>
    fetch(url + path, { method, headers: { ...tusHeaders(ann), ...headers }, ...(body && { body }) });
  const uploads = `/messageoh${UPLOADS_PATH}`;

  for (const length of ["0", "-1", "abc", "1e3", "", "1.5", "99999999999999999999", "0x10"])
    await expectStatus(`length ${length}`, create(length), 400);
  await expectStatus("length 100 MB and a byte", create(100_000_001), 413);
  for (const thread of ["", "nobody", "../x", "x".repeat(500)])
    await expectStatus(`thread ${thread}`, create(10, { thread_id: thread }), 400, 403, 404);
  await expectStatus("a thread of others", create(10, {}, stranger), 403, 404);
  await expectStatus("a name of 2,000 characters", create(10, { name: "x".repeat(2_000) }), 400);
  for (const header of ["", "name", "name !!!", "thread_id", `name ${"a".repeat(7_000)}`, "a b,a b,a b", ",,,"]) {
    const headers = { "upload-length": "10", "upload-metadata": header };
    await expectStatus(`metadata ${header.slice(0, 20)}`, send("POST", uploads, headers), 400, 403, 404, 431);
  }
  const metadata = uploadMetadata({ name: "a", thread_id });
  for (const version of ["", "0.1.0", "9.9.9"]) {
    const headers = { "upload-length": "10", "upload-metadata": metadata, "tus-resumable": version };
    await expectStatus(`version ${version}`, send("POST", uploads, headers), 400, 412);
  }
  for (const method of ["GET", "PUT", "LINK"]) await expectStatus(method, send(method, uploads, {}), 400, 404, 405);
  for (const id of ["none", "..", "%2e%2e%2fusers", "x".repeat(300), "%ff"]) {
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const headers = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
      await expectStatus(`${method} ${id}`, send(method, `${uploads}/${id}`, headers), 400, 404, 405, 415);
    }
  }

  const path = (await create(BYTES.length)).headers.get("location") ?? "";
  for (const offset of [1, BYTES.length, BYTES.length + 1])
    await expectStatus(`offset ${offset}`, sendPart(ann, path, offset, BYTES), 400, 409, 413);
  for (const offset of ["-1", "abc", "1e9", ""])
    await expectStatus(
      `offset ${offset}`,
      send("PATCH", path, { "upload-offset": offset, "content-type": "application/offset+octet-stream" }, BYTES),
      ...[400, 403, 409, 412],
    );
  await expectStatus(
    "another type",
    send("PATCH", path, { "upload-offset": "0", "content-type": "text/plain" }, BYTES),
    400,
    403,
    415,
  );
  await expectStatus("too many bytes", sendPart(ann, path, 0, randomBytes(BYTES.length + 1)), 400, 413);
  for (const account of [bob, stranger]) {
    for (const method of ["HEAD", "DELETE"])
      await expectStatus(`${method} of another user`, fetch(url + path, { method, headers: tusHeaders(account) }), 404);
    await expectStatus("a part of another user", sendPart(account, path, 0, BYTES), 404);
  }
  await sendInParallel(ann, path, findings);
  const removed = (await create(10)).headers.get("location") ?? "";
  await expectStatus("cancel", send("DELETE", removed, {}), 204);
  await expectStatus("HEAD after cancel", send("HEAD", removed, {}), 404, 410);
  await expectStatus("a part after cancel", sendPart(ann, removed, 0, randomBytes(10)), 404, 410);
}

/** Sends the same parts several times at the same moment. Each either counts or gets 409 or 423, and no byte is lost. */
async function sendInParallel(account: Account, path: string, findings: Findings): Promise<void> {
  const half = BYTES.length / 2;
  for (const offset of [0, half]) {
    for (let isStored = false; !isStored; ) {
      const parts = Array.from({ length: AT_ONCE }, () =>
        sendPart(account, path, offset, BYTES.subarray(offset, offset + half)),
      );
      for (const { status } of await Promise.all(parts)) {
        findings.count("parallel parts of an upload");
        if (![204, 400, 409, 423].includes(status))
          findings.fault("a parallel part has the wrong status", String(status));
      }
      const head = await fetch(account.url + path, { method: "HEAD", headers: tusHeaders(account) });
      isStored = Number(head.headers.get("upload-offset")) >= offset + half || !head.ok;
    }
  }
  const id = path.slice(path.lastIndexOf("/") + 1);
  const isWhole = async () => {
    const response = await download(account, id, "file");
    return response.ok && BYTES.equals(await response.bytes());
  };
  if (!(await until(isWhole, 10_000, 200))) findings.fault("parallel parts destroyed an upload", id);
}
