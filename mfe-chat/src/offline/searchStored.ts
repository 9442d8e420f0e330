import type { Message } from "@messageoh/contracts/messages";
import type { ChatState } from "../state/chatState.ts";

/** Returns the messages on this device that contain the text, newest first, as a search of the server does. */
export function searchStored({ threads }: ChatState, text: string, threadId?: string): Message[] {
  const wanted = text.toLowerCase();
  return [...threads.values()]
    .filter((thread) => threadId === undefined || thread.threadId === threadId)
    .flatMap(({ segments }) => segments.flatMap(({ messages }) => messages))
    .filter((message) => !message.deleted_at && message.text.toLowerCase().includes(wanted))
    .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
}
