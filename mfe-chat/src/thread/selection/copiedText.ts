import { textWithoutCaption } from "@messageoh/contracts/attachments";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { clockTime } from "../../time/relativeTime.ts";

/**
 * Returns messages as a text for the clipboard: one alone as it was written, several with their times and authors, as
 * in WhatsApp.
 * @param nameOf returns the name of the author
 */
export function copiedText(messages: readonly ThreadMessage[], nameOf: (message: ThreadMessage) => string): string {
  const [first] = messages;
  if (first && messages.length === 1) return wordsOf(first);
  return messages.map((message) => `[${timeOf(message)}] ${nameOf(message)}: ${wordsOf(message)}`).join("\n");
}

const wordsOf = ({ text, attachments = [] }: ThreadMessage): string => text || textWithoutCaption(attachments);
const timeOf = ({ timestamp }: ThreadMessage): string =>
  `${clockTime(timestamp)}, ${new Date(timestamp).toLocaleDateString()}`;
