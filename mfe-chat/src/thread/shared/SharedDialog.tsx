import type { ListedFriend } from "@messageoh/contracts/users";
import { nextIndex } from "@messageoh/ui-kit/basics/nextIndex";
import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from "react";
import { PageDialog } from "../../ui/PageDialog.tsx";
import { useChat, useChatState } from "../../useChat.ts";
import { FilesTab } from "./FilesTab.tsx";
import { LinksTab } from "./LinksTab.tsx";
import { MediaTab } from "./MediaTab.tsx";
import css from "./SharedDialog.module.css";

const TABS = [
  { name: "Media", Tab: MediaTab },
  { name: "Files", Tab: FilesTab },
  { name: "Links", Tab: LinksTab },
] as const;

/** Renders what was shared in the thread with a friend. It fills a phone. */
export function SharedDialog({ friend, onClose }: { friend: ListedFriend; onClose: () => void }): ReactElement | null {
  const thread = useChatState((state) => state.threads.get(state.threadIdOf.get(friend.id) ?? ""));
  const { jumpToMessage } = useChat();
  const [at, setAt] = useState(0);
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const { Tab } = TABS[at] ?? TABS[0];
  if (!thread) return null;

  function handleKeyDown(event: KeyboardEvent): void {
    const next = nextIndex(event.key, at, TABS.length);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    tabs.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <PageDialog onClose={onClose} title="Media, files and links">
      <div
        ref={tabs}
        role="tablist"
        aria-label="What was shared"
        tabIndex={-1}
        className={css.tabs}
        onKeyDown={handleKeyDown}
      >
        {TABS.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            className={css.tab}
            onClick={() => setAt(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${TABS[at]?.name}`} className={css.panel}>
        <Tab
          thread={thread}
          friendName={friend.name}
          onLeave={onClose}
          onShow={({ threadId, seq }) => {
            onClose();
            if (seq !== null) void jumpToMessage({ thread_id: threadId, seq });
          }}
        />
      </div>
    </PageDialog>
  );
}
