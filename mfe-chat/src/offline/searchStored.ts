import type { Message } from "@messageoh/contracts/messages";
import type { ChatState } from "../state/chatState.ts";
import { pendingState } from "../state/thread/shownMessages.ts";

/** Returns the messages on this device that contain the text, newest first, as a search of the server does. */
export function searchStored({ threads }: ChatState, text: string, threadId?: string): Message[] {
  const wanted = text.toLowerCase();
  return [...threads.values()]
    .filter((thread) => threadId === undefined || thread.threadId === threadId)
    .flatMap((thread) =>
      thread.segments.flatMap(({ messages }) => messages.map((stored) => pendingState(stored, thread))),
    )
    .filter((message) => !message.deleted_at && message.text.toLowerCase().includes(wanted))
    .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
}
