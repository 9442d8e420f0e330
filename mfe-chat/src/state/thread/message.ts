import type { Message } from "@messageoh/contracts/messages";

/** Returns the other participant: the sender or, for the user's own message, the recipient. */
export function friendIdIn(message: Message, userId: string): string {
  return message.sending_user_id === userId ? message.recipient_user_id : message.sending_user_id;
}

/** Returns the key of a stored message. An own message keeps the id that it had before it was stored. */
export function keyOf(message: Message, userId: string): string {
  return message.sending_user_id === userId ? (message.client_id ?? message.id) : message.id;
}
