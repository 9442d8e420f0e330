import { createHash, randomBytes, randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { WAVE_BARS } from "@messageoh/contracts/attachments";
import { headersOf, pause } from "../../../client/account.ts";
import { uploadFile } from "../../../client/media.ts";
import type { Random } from "../../random.ts";
import { observeAck } from "../observedAck.ts";
import type { Person } from "../person.ts";
import type { World } from "../world.ts";
import { RETRY_MS } from "./acting.ts";

/** Sizes of files: the last one has two parts. */
const SIZES = [20_000, 200_000, 6_000_000];
const UPLOAD_MAX_MS = 300_000;
const ACK_MAX_MS = 10_000;

/** The bytes by which svc-media knows a sound. */
const WAV_HEAD = Buffer.from("RIFF....WAVEfmt ", "latin1");
/** What a browser states of a voice message. */
const STATED = { seconds: "1", wave: Buffer.alloc(WAVE_BARS, 7).toString("base64") };

/**
 * Uploads a file or a voice message and sends it to a friend, again until it is acked. Nobody sends it if the
 * friendship ends meanwhile.
 */
export async function sendFile({ url, ledger }: World, person: Person, random: Random) {
  const friends = [...person.friends];
  if (friends.length === 0) return false;
  const [friendId, threadId] = random.pick(friends);
  const begunAt = Date.now();
  const { session } = person.phone;
  const uploader = { url, headers: headersOf(person.browser.session), call: person.call };
  const isVoice = random.pick([true, false]);
  const bytes = Buffer.concat([...(isVoice ? [WAV_HEAD] : []), randomBytes(random.pick(SIZES))]);
  const options = { signal: AbortSignal.timeout(UPLOAD_MAX_MS), ...(isVoice && { stated: STATED }) };
  const uploaded = await uploadFile(uploader, threadId, "chaos", bytes, options).catch((error: Error) => error);
  const isUploaded = !(uploaded instanceof Error) && uploaded.wave === options.stated?.wave;
  const mayFail = ledger.mayRefuse({ threadId, sentAt: begunAt });
  ledger.checks.verify("a valid file is accepted", isUploaded || mayFail, () => `${person.id}: ${inspect(uploaded)}`);
  if (!isUploaded) return false;

  const client = `${person.phone.name}.files`;
  const sent = ledger.compose({ from: person.id, to: friendId, threadId, client, isGuaranteed: true });
  const route = { thread_id: threadId, sending_user_id: person.id, recipient_user_id: friendId };
  const payload = { ...route, text: sent.text, client_id: randomUUID(), attachments: [uploaded.id] };
  while (sent.ackedAt === undefined && sent.refusedAt === undefined) {
    sent.attempts += 1;
    const ack = await person.phone.socket
      .timeout(ACK_MAX_MS)
      .emitWithAck("send_message", payload)
      .catch((error: Error) => ({ error: error.message, is_retryable: true }));
    observeAck(ledger, session, payload, ack);
    await pause(RETRY_MS);
  }
  if (sent.ackedAt === undefined) return false;
  ledger.files.push({ sent, mediaId: uploaded.id, hash: hashOf(bytes) });
  return true;
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
