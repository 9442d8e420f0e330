import { type MenuItem, MenuList } from "@messageoh/ui-kit/controls/MenuList";
import type { ReactElement } from "react";
import { messageLink } from "../../links/messageLink.ts";
import { copyText } from "./copyText.ts";
import type { OpenMenu } from "./useMessageMenu.ts";

export interface MessageMenuProps {
  menu: OpenMenu;
  onClose: (isDone: boolean) => void;
  /** Called with the result of an action, to show for a moment. */
  onNotice: (text: string) => void;
}

/** Renders the menu of one message. */
export function MessageMenu({ menu: { message, at }, onClose, onNotice }: MessageMenuProps): ReactElement {
  const copy = async (text: string, done: string) => onNotice((await copyText(text)) ? done : "Could not be copied");
  const { threadId, seq, text } = message;
  const items: MenuItem[] = [
    { id: "text", label: "Copy text", icon: "copy", onSelect: () => void copy(text, "Text copied") },
  ];
  // Only a stored message has an address.
  if (seq !== null) {
    const link = messageLink({ thread_id: threadId, seq }, location.origin);
    items.push({ id: "link", label: "Copy link", icon: "link", onSelect: () => void copy(link, "Link copied") });
  }
  return <MenuList label="Message actions" entries={items} at={at} onClose={onClose} />;
}
