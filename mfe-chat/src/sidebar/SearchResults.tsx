import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, useId, useMemo, useState } from "react";
import { FullScreenError } from "../errors/FullScreenError.tsx";
import { useRowFocus } from "../keyboard/useRowFocus.ts";
import { RetryButton } from "../requests/RetryButton.tsx";
import scroll from "../scrolling/scroll.module.css";
import { whenEndNear } from "../scrolling/whenEndNear.ts";
import { withFriends } from "../search/currentState.ts";
import { MessageResult } from "../search/MessageResult.tsx";
import { resultCount } from "../search/resultCount.ts";
import { searchContacts } from "../search/searchContacts.ts";
import { messageSource } from "../search/searchSource.ts";
import { usePagedSearch } from "../search/usePagedSearch.ts";
import { friendThreads } from "../state/friendList.ts";
import { RowSkeletons } from "../ui/RowSkeletons.tsx";
import row from "../ui/row.module.css";
import { useChat, useChatState } from "../useChat.ts";
import { ContactResult } from "./ContactResult.tsx";
import css from "./SearchResults.module.css";

export interface SearchResultsProps {
  text: string;
  onContactOpened: () => void;
}

/** Renders the friends and messages that contain the text. */
export function SearchResults({ text, onContactOpened }: SearchResultsProps): ReactElement {
  const threads = useChatState(friendThreads);
  const friends = useChatState((state) => state.friends);
  const { openThread, jumpToMessage } = useChat();
  const { messages: searchMessages } = useChat().search;
  const search = usePagedSearch(text, searchMessages, useChatState(messageSource));
  const [isErrorClosed, setIsErrorClosed] = useState(false);
  const headingId = useId();

  const contacts = useMemo(() => {
    const all = threads.flatMap(({ friendId }) => friends.get(friendId) ?? []);
    return searchContacts(all, text);
  }, [threads, friends, text]);
  const messages = useMemo(() => withFriends(search.items, threads, friends), [search.items, threads, friends]);
  const keys = useMemo(
    () => [...contacts.map(({ id }) => contactKey(id)), ...messages.map(({ message }) => messageKey(message.id))],
    [contacts, messages],
  );
  const { listRef, tabStop, handleKeyDown, handleFocus } = useRowFocus(keys);
  const isEmpty = search.status === "ready" && keys.length === 0;

  function handleRetry(): void {
    setIsErrorClosed(false);
    search.retry();
  }

  return (
    <section
      ref={listRef}
      aria-label="Results"
      tabIndex={-1}
      className={scroll.area}
      onKeyDown={handleKeyDown}
      onFocus={handleFocus}
      onScroll={whenEndNear(search.loadMore)}
    >
      <div role="status">
        {isEmpty ? <p className={row.note}>No result for '{text}'</p> : null}
        {search.status === "ready" ? (
          <VisuallyHidden>{resultCount([contacts.length, "contact"], [messages.length, "message"])}</VisuallyHidden>
        ) : null}
      </div>
      {contacts.length > 0 ? (
        <section aria-labelledby={`${headingId}-contacts`}>
          <h2 id={`${headingId}-contacts`} className={row.heading}>
            Contacts
          </h2>
          <ul>
            {contacts.map((friend, index) => (
              <li key={friend.id} className={css.item}>
                <ContactResult
                  friend={friend}
                  rowKey={contactKey(friend.id)}
                  isTabStop={index === tabStop}
                  onOpen={(friendId) => {
                    openThread(friendId);
                    onContactOpened();
                  }}
                />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {messages.length > 0 || search.status !== "ready" ? (
        <section aria-labelledby={`${headingId}-messages`}>
          <h2 id={`${headingId}-messages`} className={row.heading}>
            Messages
          </h2>
          <ul>
            {messages.map(({ message, friend }, index) => (
              <li key={message.id} className={css.item}>
                <MessageResult
                  message={message}
                  friend={friend}
                  text={text}
                  rowKey={messageKey(message.id)}
                  isTabStop={contacts.length + index === tabStop}
                  onOpen={(found) => void jumpToMessage(found)}
                />
              </li>
            ))}
          </ul>
          {search.status === "loading" ? <RowSkeletons count={messages.length === 0 ? 3 : 1} /> : null}
          {search.status === "paused" ? (
            <p className={row.note}>You are offline. Messages will be searched when the connection is back.</p>
          ) : null}
          {search.status === "failed" ? (
            <div className={row.more}>
              <FormError>{GENERIC_ERROR}</FormError>
              <RetryButton variant="secondary" onClick={handleRetry} />
            </div>
          ) : null}
          {search.status === "failed" && !isErrorClosed ? (
            <FullScreenError onRetry={handleRetry} onClose={() => setIsErrorClosed(true)} />
          ) : null}
        </section>
      ) : null}
    </section>
  );
}

const contactKey = (id: string) => `contact ${id}`;
const messageKey = (id: string) => `message ${id}`;
