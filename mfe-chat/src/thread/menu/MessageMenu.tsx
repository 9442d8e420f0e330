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
  onDelete: (key: string) => void;
}

/** Renders the menu of one message. */
export function MessageMenu({ menu, onClose, onNotice, onDelete }: MessageMenuProps): ReactElement {
  const { message, at } = menu;
  const copy = async (text: string, done: string) => onNotice((await copyText(text)) ? done : "Could not be copied");
  const { key, threadId, seq, text, isDeletable } = message;
  const items: MenuItem[] = [
    { id: "text", label: "Copy text", icon: "copy", onSelect: () => void copy(text, "Text copied") },
  ];
  // Only a stored message has an address.
  if (seq !== null) {
    const link = messageLink({ thread_id: threadId, seq }, location.origin);
    items.push({ id: "link", label: "Copy link", icon: "link", onSelect: () => void copy(link, "Link copied") });
  }
  if (isDeletable) items.push({ id: "delete", label: "Delete", icon: "trash", onSelect: () => onDelete(key) });
  return <MenuList label="Message actions" entries={items} at={at} onClose={onClose} />;
}
