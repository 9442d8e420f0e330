import { type ReactElement, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useRowFocus } from "../keyboard/useRowFocus.ts";
import { firstRows } from "../scrolling/firstRows.ts";
import scroll from "../scrolling/scroll.module.css";
import { useSettled } from "../scrolling/useSettled.ts";
import { useChatSelector } from "../view/useChatSelector.ts";
import { FriendListItem } from "./FriendListItem.tsx";

/** Estimated height of a row, from row.module.css: with a lower one, the first render would contain too many rows. */
const ROW_PX = 70;

/** Renders a virtualised list of all friends, newest message first. */
export function FriendList(): ReactElement {
  const friends = useChatSelector((chat) => chat.friends);
  const activeId = useChatSelector((chat) => chat.active?.friend.id);
  const openThread = useChatSelector((chat) => chat.openThread);
  const keys = useMemo(() => friends.map(({ friend }) => friend.id), [friends]);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const isSettled = useSettled();
  const { listRef, tabStop, keptRows, handleKeyDown, handleFocus } = useRowFocus(keys, {
    initialKey: activeId,
    scrollTo: (index) => virtualizer.current?.scrollToIndex(index, { align: "nearest" }),
  });

  return (
    <nav aria-label="Friends" className={scroll.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls */}
      <div ref={listRef} className={scroll.area} onKeyDown={handleKeyDown} onFocus={handleFocus}>
        <Virtualizer
          ref={virtualizer}
          as="ul"
          item="li"
          itemSize={ROW_PX}
          data={friends}
          bufferSize={isSettled ? undefined : 0}
          // Without them, the list would render its first rows only when it has measured its height.
          keepMounted={isSettled ? keptRows : [...keptRows, ...firstRows(0, friends.length, ROW_PX)]}
        >
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
