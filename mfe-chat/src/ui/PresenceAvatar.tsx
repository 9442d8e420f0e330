import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./PresenceAvatar.module.css";
import { TypingDots } from "./TypingDots.tsx";

export interface PresenceAvatarProps {
  avatarId: string;
  isOnline: boolean;
  /** Shows typing dots instead of the presence dot. */
  isTyping?: boolean;
}

/** Renders a friend's decorative avatar, with a dot while the friend is online. */
export function PresenceAvatar({ avatarId, isOnline, isTyping = false }: PresenceAvatarProps): ReactElement {
  return (
    <span className={css.avatar}>
      <Avatar avatarId={avatarId} alt="" />
      {isTyping ? (
        <span className={css.typing} title="Typing...">
          <TypingDots />
          <VisuallyHidden>Typing...</VisuallyHidden>
        </span>
      ) : isOnline ? (
        <span className={css.dot} title="Online">
          <VisuallyHidden>Online</VisuallyHidden>
        </span>
      ) : null}
    </span>
  );
}
