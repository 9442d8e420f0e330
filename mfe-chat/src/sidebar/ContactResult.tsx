import type { Friend } from "@messageoh/contracts/users";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { memo, type ReactElement } from "react";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import row from "../ui/row.module.css";
import { useChatState } from "../useChat.ts";

export interface ContactResultProps {
  friend: Friend;
  rowKey: string;
  isTabStop: boolean;
  onOpen: (friendId: string) => void;
}

/** Renders a friend whose name matches. */
export const ContactResult = memo(function ContactResult(props: ContactResultProps): ReactElement {
  const { friend } = props;
  const isOnline = useChatState((state) => state.onlineIds.has(friend.id));
  return (
    <a
      href={`/home/${encodeURIComponent(friend.id)}`}
      data-row={props.rowKey}
      className={row.row}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={onPlainClick(() => props.onOpen(friend.id))}
    >
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} />
      <span className={row.name} dir="auto">
        {friend.name}
      </span>
    </a>
  );
});
