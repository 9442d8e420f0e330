import pLimit from "p-limit";
import { Account } from "../client/account.ts";
import { download, uploadFile } from "../client/media.ts";
import { badFiles } from "./badFiles.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 4;
const DONE_WITHIN_MS = 60_000;
const NAMES = [
  ["../../etc/passwd", "..\\..\\boot.ini", "/", "..", ".", " "],
  ["a\u202egpj.exe", "a\u2066b\u200b.txt", "a\r\nSet-Cookie: a=b.txt", 'a"; filename="b.html', "a\u0000b"],
  ["x".repeat(500), `${"文".repeat(500)}.pdf`, `a.${"y".repeat(500)}`, "👩‍👩‍👧‍👦".repeat(60), "con.txt", "%2e%2e%2f"],
].flat();
const FORBIDDEN = /[/\\\p{Cc}\p{Cf}\u2028\u2029]/u;
const NAME_MAX_CHARACTERS = 200;
/** Ranges with the statuses that they may get. */
const RANGES: [range: string, statuses: number[]][] = [
  ["bytes=0-0", [206]],
  ["bytes=99999999-", [416]],
  ["bytes=-0", [416]],
  ["bytes=5-2", [200, 416]],
  ["bytes=0-0,2-3,-1", [200, 206]],
  ["bytes=a-b", [200, 416]],
  [`bytes=${"0-,".repeat(1_000)}0-`, [200, 400, 416]],
];

/** Uploads files with bad contents and names, and checks what the server made of them and how it sends them. */
export async function sendFiles(url: string, findings: Findings): Promise<void> {
  const { ann, bob, thread_id } = await Account.registerFriends(url);
  const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    uploadFile(ann, thread_id, name, bytes, { signal: AbortSignal.timeout(DONE_WITHIN_MS) });
  await pLimit(AT_ONCE).map(await badFiles(), async ({ name, bytes, kind, without }) => {
    findings.count("files with bad contents");
    const attachment = await upload(name, bytes).catch((error: Error) => error);
    if (attachment instanceof Error) return findings.fault("a file was not accepted", `${name}: ${attachment.message}`);
    if (attachment.kind !== kind) findings.fault("a file has the wrong kind", `${name} is a ${attachment.kind}`);
    for (const variant of ["thumb", "view", "file"] as const) {
      const { status, headers, text } = await read(ann, attachment.id, variant);
      const about = `${variant} of ${name}: ${status} ${headers.get("content-type")}`;
      const isThere = variant === "file" || kind === "picture";
      if (status !== (isThere ? 200 : 404)) findings.fault("a variant of a file has the wrong status", about);
      if (status !== 200) continue;
      if (without !== undefined && text.includes(without)) findings.fault("a picture was not made anew", about);
      if (!isSafe(headers, attachment.kind, variant)) findings.fault("a file could run in a browser", about);
    }
    if ((await read(bob, attachment.id, "file")).status !== 404) findings.fault("an unsent file was sent", name);
  });
  await pLimit(AT_ONCE).map(NAMES, async (name) => {
    findings.count("names of files");
    const attachment = await upload(name, Buffer.from("text")).catch((error: Error) => error);
    if (attachment instanceof Error) findings.fault("a name was not accepted", `${name}: ${attachment.message}`);
    else if (
      FORBIDDEN.test(attachment.name) ||
      attachment.name.trim() === "" ||
      length(attachment.name) > NAME_MAX_CHARACTERS
    )
      findings.fault("a name was kept", `${name} became ${attachment.name}`);
    else if ((await read(ann, attachment.id, "file")).status !== 200)
      findings.fault("a name breaks the download", name);
  });
  const { id } = await upload("ranges.bin", Buffer.from("0123456789"));
  for (const [range, statuses] of RANGES) {
    findings.count("ranges of files");
    const { status } = await read(ann, id, "file", { range });
    if (!statuses.includes(status)) findings.fault("a range has the wrong status", `${range.slice(0, 40)}: ${status}`);
  }
}

const length = (text: string) => [...text].length;

async function read(
  account: Account,
  id: string,
  variant: "thumb" | "view" | "file",
  more: Record<string, string> = {},
) {
  const response = await download(account, id, variant, more);
  return { status: response.status, headers: response.headers, text: await bytesOf(response) };
}
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("latin1");

function isSafe(headers: Headers, kind: string, variant: string): boolean {
  const isInline = kind === "picture" && variant !== "file";
  const policies = headers.get("content-security-policy") ?? "";
  return (
    headers.get("x-content-type-options") === "nosniff" &&
    policies.startsWith("sandbox; default-src 'none'") &&
    (isInline
      ? headers.get("content-type") === "image/webp"
      : headers.get("content-disposition")?.startsWith("attachment") === true)
  );
}
