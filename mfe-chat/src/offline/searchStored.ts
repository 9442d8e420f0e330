import { foldCase } from "@messageoh/contracts/foldCase";
import type { Message } from "@messageoh/contracts/messages";
import type { ChatState } from "../state/chatState.ts";
import { hiddenIn } from "../state/thread/privateMarks.ts";
import { pendingState } from "../state/thread/shownMessages.ts";

/** Returns the messages on this device that contain the text, newest first, as a search of the server does. */
export function searchStored({ threads }: ChatState, text: string, threadId?: string): Message[] {
  const wanted = foldCase(text);
  return [...threads.values()]
    .filter((thread) => threadId === undefined || thread.threadId === threadId)
    .flatMap((thread) => {
      const hidden = hiddenIn(thread);
      const stored = thread.segments.flatMap(({ messages }) => messages.filter(({ seq }) => !hidden.has(seq)));
      return stored.map((message) => pendingState(message, thread));
    })
    .filter((message) => !message.deleted_at && foldCase(message.text).includes(wanted))
    .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
}
