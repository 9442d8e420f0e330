import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";

/** A picture of a thread, with the message that contains it. */
export interface ThreadPicture {
  /** Stable while the message exists. */
  key: string;
  message: ThreadMessage;
  picture: ShownAttachment;
}

export const pictureKey = (messageKey: string, place: number): string => `${messageKey} ${place}`;

/** Returns the pictures of messages, in their order. */
export const picturesIn = (messages: readonly ThreadMessage[]): ThreadPicture[] =>
  messages.flatMap((message) =>
    (message.attachments ?? [])
      .filter(({ kind }) => kind === "picture")
      .map((picture, place) => ({ key: pictureKey(message.key, place), message, picture })),
  );
