import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { memo, type ReactElement } from "react";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import row from "../ui/row.module.css";
import type { FriendEntry } from "../view/model.ts";

export interface ContactResultProps {
  entry: FriendEntry;
  rowKey: string;
  isTabStop: boolean;
  onOpen: (friendId: string) => void;
}

/** Renders a friend whose name matches. */
export const ContactResult = memo(function ContactResult(props: ContactResultProps): ReactElement {
  const { friend, isOnline } = props.entry;
  return (
    <a
      href={`/home/${encodeURIComponent(friend.id)}`}
      data-row={props.rowKey}
      className={row.row}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={onPlainClick(() => props.onOpen(friend.id))}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} />
      <span className={row.name}>{friend.name}</span>
    </a>
  );
});
