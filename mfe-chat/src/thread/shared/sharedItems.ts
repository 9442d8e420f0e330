import { isVoice, voiceLabel } from "@messageoh/contracts/attachments";
import type { ShownAttachment } from "../../state/thread/shownAttachment.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { findLinks } from "../text/findLinks.ts";

/** Something that a message of a thread contains. */
export interface Shared<Item> {
  key: string;
  message: ThreadMessage;
  item: Item;
}

/** Properties of each tab. */
export interface SharedTabProps {
  thread: Thread;
  friendName: string;
  /** Closes the dialog and shows a message in its thread. */
  onShow: (message: ThreadMessage) => void;
  /** Closes the dialog. */
  onLeave: () => void;
}

/** Returns the files of messages that are wanted, in the order of the messages. */
export const filesIn = (
  messages: readonly ThreadMessage[],
  isWanted: (file: ShownAttachment) => boolean,
): Shared<ShownAttachment>[] =>
  messages.flatMap((message) =>
    (message.attachments ?? []).flatMap((item, index) =>
      isWanted(item) ? [{ key: `${message.key} ${index}`, message, item }] : [],
    ),
  );

export const isMedia = ({ kind }: ShownAttachment): boolean => kind === "picture" || kind === "video";

/** Returns the addresses of web pages in messages, in the order of the messages. */
export const linksIn = (messages: readonly ThreadMessage[]): Shared<string>[] =>
  messages.flatMap((message) =>
    findLinks(message.text)
      .filter(({ href }) => /^https?:/i.test(href))
      .map(({ start, href }) => ({ key: `${message.key} ${start}`, message, item: href })),
  );

/** Returns items by the name of their month, such as "November 2026". */
export const byMonth = <Item>(items: readonly Shared<Item>[]): Map<string, Shared<Item>[]> =>
  Map.groupBy(items, ({ message }) =>
    new Date(message.timestamp).toLocaleDateString("en", { month: "long", year: "numeric" }),
  );

/** Returns the name of a file for a list: voice messages have no names. */
export const fileLabel = (file: ShownAttachment): string => (isVoice(file) ? voiceLabel(file) : file.name);

/** Returns a day such as "Nov 5". */
export const shortDay = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString("en", { month: "short", day: "numeric" });
