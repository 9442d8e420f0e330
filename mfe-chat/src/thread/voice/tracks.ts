import { isVoice } from "@messageoh/contracts/attachments";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import { shownMessages, type ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";

/** A voice message that can be played. */
export interface Track {
  /** Stable while the message exists. */
  key: string;
  threadId: string;
  message: Pick<ThreadMessage, "key" | "seq">;
  file: ShownAttachment;
}

export const trackOf = (message: ThreadMessage, file: ShownAttachment, index: number): Track => ({
  key: `${message.key} ${index}`,
  threadId: message.threadId,
  message,
  file,
});

/** Returns the voice message that follows in the loaded part of a thread. */
export function trackAfter(thread: Thread, key: string): Track | undefined {
  const tracks = shownMessages(thread).flatMap((message) =>
    (message.attachments ?? []).flatMap((file, index) => (isVoice(file) ? [trackOf(message, file, index)] : [])),
  );
  const at = tracks.findIndex((track) => track.key === key);
  return at < 0 ? undefined : tracks[at + 1];
}
