import { type ReactElement, useMemo } from "react";
import { Virtualizer } from "virtua";
import scroll from "../layout/scroll.module.css";
import { useRowFocus } from "../layout/useRowFocus.ts";
import { useChatSelector } from "../state/ChatProvider.tsx";
import { FriendListItem } from "./FriendListItem.tsx";

/** All friends, the newest message first; as many rows in the page as fit the screen. */
export function FriendList(): ReactElement {
  const friends = useChatSelector((chat) => chat.friends);
  const activeId = useChatSelector((chat) => chat.active?.friend.id);
  const openThread = useChatSelector((chat) => chat.openThread);
  const keys = useMemo(() => friends.map(({ friend }) => friend.id), [friends]);
  const { listRef, tabStop, handleKeyDown, handleFocus } = useRowFocus(keys, activeId);

  return (
    <nav aria-label="Friends" className={scroll.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows inside are the controls */}
      <div ref={listRef} className={scroll.area} onKeyDown={handleKeyDown} onFocus={handleFocus}>
        <Virtualizer as="ul" item="li" data={friends} keepMounted={[tabStop]}>
          {(entry, index) => (
            <FriendListItem
              key={entry.friend.id}
              entry={entry}
              isActive={entry.friend.id === activeId}
              isTabStop={index === tabStop}
              onOpen={openThread}
            />
          )}
        </Virtualizer>
      </div>
    </nav>
  );
}
