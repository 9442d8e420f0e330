import { Avatar } from "@messageoh/ui-kit/Avatar";
import { VisuallyHidden } from "@messageoh/ui-kit/VisuallyHidden";
import type { ReactElement } from "react";
import css from "./PresenceAvatar.module.css";

/** A friend's animal with a dot while the friend is online; the name stands beside it. */
export function PresenceAvatar({ avatarId, isOnline }: { avatarId: string; isOnline: boolean }): ReactElement {
  return (
    <span className={css.avatar}>
      <Avatar avatarId={avatarId} alt="" />
      {isOnline ? (
        <span className={css.dot} title="Online">
          <VisuallyHidden>Online</VisuallyHidden>
        </span>
      ) : null}
    </span>
  );
}
