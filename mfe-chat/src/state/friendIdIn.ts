import type { Message } from "@messageoh/contracts/messages";

/** The other person: who sent it, or, of a message that the user sent, who it went to. */
export function friendIdIn(message: Message, userId: string): string {
  return message.sending_user_id === userId ? message.recipient_user_id : message.sending_user_id;
}

/** The key of a stored message: own ones keep the id that they had before they were stored. */
export function keyOf(message: Message, userId: string): string {
  return message.sending_user_id === userId ? (message.client_id ?? message.id) : message.id;
}
