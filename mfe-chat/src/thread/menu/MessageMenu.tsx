import * as icons from "@messageoh/ui-kit/basics/icons";
import { type MenuItem, MenuList } from "@messageoh/ui-kit/controls/MenuList";
import type { ReactElement } from "react";
import { messageLink } from "../../links/messageLink.ts";
import { canWriteIn } from "../../state/friendList.ts";
import { canDelete, isAnswerable, isEditable } from "../../state/thread/messageRights.ts";
import { copyText } from "../../ui/copyText.ts";
import { useChat, useChatState } from "../../useChat.ts";
import type { OpenMenu } from "./useMessageMenu.ts";
import type { RowAction } from "./useRowActions.tsx";

export interface MessageMenuProps {
  menu: OpenMenu;
  onClose: (isDone: boolean) => void;
  onAct: (action: RowAction) => void;
}

/** Renders the menu of one message. */
export function MessageMenu({ menu, onClose, onAct }: MessageMenuProps): ReactElement {
  const { showNotice } = useChat();
  const { message, at } = menu;
  const { threadId, seq, text, isDeleted, isPinned, isStarred } = message;
  const canWrite = useChatState((state) => canWriteIn(state, threadId));
  const copy = async (copied: string, done: string) =>
    showNotice(threadId, (await copyText(copied)) ? done : "Could not be copied");
  const items: MenuItem[] = [];
  if (canWrite && isAnswerable(message)) {
    items.push({ id: "reply", label: "Reply", icon: icons.reply, onSelect: () => onAct("reply") });
    items.push({ id: "react", label: "React", icon: icons.smile, onSelect: () => onAct("react") });
  }
  if (isAnswerable(message)) {
    items.push({ id: "forward", label: "Forward", icon: icons.forwardMessage, onSelect: () => onAct("forward") });
  }
  if (canWrite && isEditable(message, Date.now())) {
    items.push({ id: "edit", label: "Edit", icon: icons.edit, onSelect: () => onAct("edit") });
  }
  if (!isDeleted && text !== "") {
    items.push({ id: "text", label: "Copy text", icon: icons.copy, onSelect: () => void copy(text, "Text copied") });
  }
  // Only a stored message has an address.
  if (seq !== null && !isDeleted) {
    const link = messageLink({ thread_id: threadId, seq }, location.origin);
    items.push({ id: "link", label: "Copy link", icon: icons.link, onSelect: () => void copy(link, "Link copied") });
  }
  if (canWrite && isAnswerable(message)) {
    items.push({ id: "pin", label: isPinned ? "Unpin" : "Pin", icon: icons.pin, onSelect: () => onAct("pin") });
  }
  if (isAnswerable(message)) {
    items.push({ id: "star", label: isStarred ? "Unstar" : "Star", icon: icons.star, onSelect: () => onAct("star") });
    items.push({ id: "select", label: "Select", icon: icons.check, onSelect: () => onAct("select") });
  }
  if (canDelete(message)) {
    items.push({ id: "delete", label: "Delete", icon: icons.trash, onSelect: () => onAct("delete") });
  }
  return <MenuList label="Message actions" entries={items} at={at} onClose={onClose} />;
}
