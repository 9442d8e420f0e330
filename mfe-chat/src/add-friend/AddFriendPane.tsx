import type { User } from "@messageoh/contracts/users";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { TextLink } from "@messageoh/ui-kit/controls/TextLink";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ReactElement, type RefObject, useEffect, useId, useState } from "react";
import { FullScreenError } from "../errors/FullScreenError.tsx";
import { viewOnDemand } from "../requests/viewOnDemand.tsx";
import scroll from "../scrolling/scroll.module.css";
import { resultCount } from "../search/resultCount.ts";
import { SearchBox } from "../search/SearchBox.tsx";
import { serverSource } from "../search/searchSource.ts";
import { useDebouncedSearch } from "../search/useDebouncedSearch.ts";
import { usePagedSearch } from "../search/usePagedSearch.ts";
import { RowSkeletons } from "../ui/RowSkeletons.tsx";
import row from "../ui/row.module.css";
import { useChat, useChatState } from "../useChat.ts";
import { AddableUserList } from "./AddableUserList.tsx";
import css from "./AddFriendPane.module.css";

const ConfirmAddFriendDialog = viewOnDemand(() => import("./ConfirmAddFriendDialog.tsx"), "ConfirmAddFriendDialog");

export interface AddFriendPaneProps {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Called to return to the friend list without adding anybody. */
  onClose: () => void;
  /** Called when the browser's Back is pressed. */
  onBack: () => void;
  onAdded: () => void;
}

/** Renders the search for usernames and adds a friend after a confirmation. */
export function AddFriendPane({ inputRef, onClose, onBack, onAdded }: AddFriendPaneProps): ReactElement {
  const [text, setText] = useState("");
  const settledText = useDebouncedSearch(text);
  const { users: searchUsers } = useChat().search;
  const source = useChatState(serverSource);
  const { status, searchedText, items: users, retry, loadMore } = usePagedSearch(settledText, searchUsers, source);
  const [chosen, setChosen] = useState<User | null>(null);
  const headingId = useId();

  useBackToClose(true, onBack);
  useEffect(() => inputRef.current?.focus(), [inputRef]);

  const note =
    users.length > 0
      ? null
      : status === "paused"
        ? "You are offline. Users will be searched when the connection is back."
        : status === "ready"
          ? `User called '${searchedText}' doesn't exist or is already in your friend list`
          : null;

  return (
    <>
      <TextLink href="/home" icon={icons.back} className={css.back} onClick={onPlainClick(onClose)}>
        Back home
      </TextLink>
      <SearchBox inputRef={inputRef} label="Search by username" text={text} onTextChange={setText} onLeave={onClose} />
      <section aria-labelledby={headingId} className={scroll.frame}>
        <h2 id={headingId} className={`${row.heading} ${css.heading}`}>
          Add Friend
        </h2>
        {status === "loading" && searchedText === null ? (
          <div className={scroll.area}>
            <RowSkeletons />
          </div>
        ) : (
          <AddableUserList users={users} onChoose={setChosen} onEndNear={loadMore} />
        )}
        <div role="status" className={note === null ? undefined : css.empty}>
          {note === null ? null : <p className={row.note}>{note}</p>}
          {status === "ready" ? <VisuallyHidden>{resultCount([users.length, "user"])}</VisuallyHidden> : null}
        </div>
      </section>
      {chosen ? <ConfirmAddFriendDialog user={chosen} onClose={() => setChosen(null)} onAdded={onAdded} /> : null}
      {status === "failed" ? <FullScreenError onRetry={retry} onClose={onClose} /> : null}
    </>
  );
}
