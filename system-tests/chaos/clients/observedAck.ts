import type { Message } from "@messageoh/contracts/messages";
import { type Ledger, labelOf, type Session } from "../checker/ledger.ts";

interface Payload {
  client_id?: string;
  text?: string;
  thread_id?: string;
}

/** Checks the ack of a message that a client sent. Returns the stored message, if the ack contains one. */
export function observeAck(
  ledger: Ledger,
  { userId, endingAt }: Session,
  payload: Payload,
  ack: unknown,
): Message | undefined {
  const { checks } = ledger;
  const { message, error, is_retryable } = Object(ack) as {
    message?: Message;
    error?: string;
    is_retryable?: boolean;
  };
  if (message) {
    const own = ledger.sentAs(payload.thread_id, payload.text ?? "");
    const isOwn =
      message.client_id === payload.client_id &&
      // The ack of a retry has the newest text.
      (message.text === payload.text || (own !== undefined && ledger.find(message) === own)) &&
      message.thread_id === payload.thread_id &&
      message.sending_user_id === userId;
    const about = () => `${userId} sent "${payload.text?.slice(0, 60)}", acked as ${labelOf(message)}`;
    checks.verify("an ack names its own message", isOwn, about);
    const sent = ledger.see(userId, message);
    if (sent && isOwn) sent.ackedAt ??= Date.now();
  }
  const isRefused = error !== undefined && is_retryable === false;
  const sent = isRefused ? ledger.sentAs(payload.thread_id, payload.text ?? "") : undefined;
  if (sent) ledger.refuse(sent);
  const isValid = isRefused && endingAt === undefined && !(sent && ledger.mayRefuse(sent));
  checks.verify("no valid message is refused", !isValid, () => `${userId}: ${error}`);
  return message;
}
