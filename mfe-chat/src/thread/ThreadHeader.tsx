import { IconButton } from "@messageoh/ui-kit/IconButton";
import { type ReactElement, useEffect, useRef } from "react";
import { PresenceAvatar } from "../rows/PresenceAvatar.tsx";
import type { FriendEntry } from "../view/model.ts";
import css from "./ThreadHeader.module.css";

export interface ThreadHeaderProps {
  entry: FriendEntry;
  /** Set where the thread fills the screen: the way back to the list. */
  onBack: (() => void) | null;
  /** Grows when the focus shall go into the thread. */
  focusRequest: number;
}

/** With whom the thread is. To be made anew for each thread. */
export function ThreadHeader({ entry: { friend, isOnline }, onBack, focusRequest }: ThreadHeaderProps): ReactElement {
  const Heading = onBack ? "h1" : "h2";
  const heading = useRef<HTMLHeadingElement>(null);
  const isFullScreen = onBack !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request asks again
  useEffect(() => {
    // What had the focus is no longer on the screen.
    if (isFullScreen) heading.current?.focus({ preventScroll: true });
  }, [isFullScreen, focusRequest]);

  return (
    <header className={css.header}>
      {onBack ? <IconButton icon="back" aria-label="Back" onClick={onBack} /> : null}
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} />
      <div className={css.text}>
        <Heading ref={heading} tabIndex={-1} className={css.name} title={friend.name}>
          {friend.name}
        </Heading>
        {isOnline ? (
          <p className={css.presence} aria-hidden="true">
            Online
          </p>
        ) : null}
      </div>
    </header>
  );
}
