import { type ReactElement, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useRowFocus } from "../keyboard/useRowFocus.ts";
import { firstRows } from "../scrolling/firstRows.ts";
import scroll from "../scrolling/scroll.module.css";
import { useSettled } from "../scrolling/useSettled.ts";
import { activeThread, friendThreads } from "../state/friendList.ts";
import { useChat, useChatState } from "../useChat.ts";
import { FriendListItem } from "./FriendListItem.tsx";

/** Estimated height of a row, from row.module.css: with a lower one, the first render would contain too many rows. */
const ROW_PX = 70;

/** Renders a virtualised list of all friends, newest message first. */
export function FriendList(): ReactElement {
  const threads = useChatState(friendThreads);
  const activeId = useChatState(activeThread)?.friendId;
  const { openThread } = useChat();
  const keys = useMemo(() => threads.map(({ friendId }) => friendId), [threads]);
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
          data={threads}
          bufferSize={isSettled ? undefined : 0}
          // Without them, the list would render its first rows only when it has measured its height.
          keepMounted={isSettled ? keptRows : [...keptRows, ...firstRows(0, threads.length, ROW_PX)]}
        >
          {(thread, index) => (
            <FriendListItem
              key={thread.friendId}
              thread={thread}
              isActive={thread.friendId === activeId}
              isTabStop={index === tabStop}
              onOpen={openThread}
            />
          )}
        </Virtualizer>
      </div>
    </nav>
  );
}
