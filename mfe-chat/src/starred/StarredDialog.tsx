import { summaryOf } from "@messageoh/contracts/attachments";
import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import type { Message } from "@messageoh/contracts/messages";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, useState } from "react";
import { useRowFocus } from "../keyboard/useRowFocus.ts";
import { MoreButton } from "../requests/MoreButton.tsx";
import { MessageResult } from "../search/MessageResult.tsx";
import { PageDialog } from "../ui/PageDialog.tsx";
import { RowSkeletons } from "../ui/RowSkeletons.tsx";
import row from "../ui/row.module.css";
import { useChat } from "../useChat.ts";
import css from "./StarredDialog.module.css";
import { useStarred } from "./useStarred.ts";

/** Renders the messages that the user has starred in all threads, newest first. It fills a phone. */
export function StarredDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { changes, jumpToMessage } = useChat();
  const { starred, status, hasMore, loadMore, retry } = useStarred();
  const { listRef, tabStop, handleKeyDown, handleFocus } = useRowFocus(starred.map(({ message }) => message.id));
  const [news, setNews] = useState("");
  const focusList = () => listRef.current?.focus();
  const isEmpty = status === "ready" && starred.length === 0 && !hasMore;

  function open(message: Message): void {
    void jumpToMessage(message);
    onClose();
  }

  function unstar({ thread_id, seq }: Message): void {
    changes.star(thread_id, seq, false);
    setNews("Star removed");
    // The focused button disappears.
    focusList();
  }

  return (
    <PageDialog onClose={onClose} title="Starred messages">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows are the controls */}
      <div ref={listRef} tabIndex={-1} onKeyDown={handleKeyDown} onFocus={handleFocus}>
        <ul>
          {starred.map(({ message, friend }, index) => (
            <li key={message.id} className={css.item}>
              <MessageResult
                message={message}
                friend={friend}
                text=""
                rowKey={message.id}
                isTabStop={index === tabStop}
                onOpen={open}
              />
              <IconButton
                icon={icons.star}
                aria-label={`Unstar: ${summaryOf(message)}`}
                title="Unstar"
                tabIndex={index === tabStop ? 0 : -1}
                onClick={() => unstar(message)}
              />
            </li>
          ))}
        </ul>
        {status === "loading" && !hasMore ? <RowSkeletons count={starred.length === 0 ? 3 : 1} /> : null}
        {isEmpty ? <p className={row.note}>Star a message in its menu to find it here.</p> : null}
        {status === "paused" ? (
          <p className={row.note}>You are offline. Starred messages will be shown when the connection is back.</p>
        ) : null}
        {status === "failed" || (hasMore && status !== "paused") ? (
          <div className={row.more}>
            {status === "failed" ? <FormError>{GENERIC_ERROR}</FormError> : null}
            <MoreButton label="Show more" status={status} onMore={loadMore} onRetry={retry} onFocusLost={focusList} />
          </div>
        ) : null}
      </div>
      <VisuallyHidden role="status">{news}</VisuallyHidden>
    </PageDialog>
  );
}
