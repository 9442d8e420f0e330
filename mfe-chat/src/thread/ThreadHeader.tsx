import type { ListedFriend } from "@messageoh/contracts/users";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { FriendMenu } from "../friendship/FriendMenu.tsx";
import { viewOnDemand } from "../requests/viewOnDemand.tsx";
import { useTimeLabel } from "../time/useTimeLabel.ts";
import { MutedMark } from "../ui/MutedMark.tsx";
import { PresenceAvatar } from "../ui/PresenceAvatar.tsx";
import { useChatState } from "../useChat.ts";
import { lastSeenLabel } from "./lastSeenLabel.ts";
import css from "./ThreadHeader.module.css";

const SharedDialog = viewOnDemand(() => import("./shared/SharedDialog.tsx"), "SharedDialog");
const GoToDateDialog = viewOnDemand(() => import("./date/GoToDateDialog.tsx"), "GoToDateDialog");

export interface ThreadHeaderProps {
  friend: ListedFriend;
  threadId: string;
  /** Set if the thread fills the screen; called to return to the list. */
  onBack: (() => void) | null;
  /** Increases to move the focus into the thread. */
  focusRequest: number;
  /** Opens the search in the thread. */
  onSearch: () => void;
}

/** Renders the friend of the thread. Use the thread id as `key`. */
export function ThreadHeader(props: ThreadHeaderProps): ReactElement {
  const { friend, threadId, onBack, focusRequest, onSearch } = props;
  const isOnline = useChatState((state) => state.onlineIds.has(friend.id));
  const lastSeenAt = useChatState((state) => state.lastSeenAt.get(friend.id));
  const [isSharedOpen, setIsSharedOpen] = useState(false);
  const Heading = onBack ? "h1" : "h2";
  const heading = useRef<HTMLHeadingElement>(null);
  const [isChoosingDate, setIsChoosingDate] = useState(false);
  const isFullScreen = onBack !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request moves the focus again
  useEffect(() => {
    // The element that had the focus is hidden, unless the window became narrow while the user was in this thread.
    const isHere = heading.current?.closest("section")?.contains(document.activeElement);
    if (isFullScreen && !isHere) heading.current?.focus({ preventScroll: true });
  }, [isFullScreen, focusRequest]);

  return (
    <header className={css.header}>
      {onBack ? <IconButton icon={icons.back} aria-label="Back" onClick={onBack} /> : null}
      <PresenceAvatar avatarId={friend.avatar_id} isOnline={isOnline} />
      <div className={css.text}>
        <div className={css.line}>
          <Heading ref={heading} tabIndex={-1} className={css.name} dir="auto" title={friend.name}>
            {friend.name}
          </Heading>
          {friend.is_muted ? <MutedMark /> : null}
        </div>
        {isOnline ? (
          <p className={css.presence} dir="auto" aria-hidden="true">
            Online
          </p>
        ) : lastSeenAt !== undefined ? (
          <LastSeen at={lastSeenAt} />
        ) : null}
      </div>
      <IconButton icon={icons.search} aria-label="Search in this thread" onClick={onSearch} />
      <FriendMenu
        friend={friend}
        threadId={threadId}
        onShared={() => setIsSharedOpen(true)}
        onGoToDate={() => setIsChoosingDate(true)}
      />
      {isChoosingDate ? <GoToDateDialog threadId={threadId} onClose={() => setIsChoosingDate(false)} /> : null}
      {isSharedOpen ? <SharedDialog friend={friend} onClose={() => setIsSharedOpen(false)} /> : null}
    </header>
  );
}

function LastSeen({ at }: { at: string }): ReactElement {
  return (
    <p className={css.lastSeen} dir="auto">
      {useTimeLabel((now) => lastSeenLabel(at, now))}
    </p>
  );
}
