import type { User } from "@messageoh/contracts/users";
import { onPlainClick } from "@messageoh/ui-kit/onPlainClick";
import { TextLink } from "@messageoh/ui-kit/TextLink";
import { useDebouncedValue } from "@messageoh/ui-kit/useDebouncedValue";
import { type ReactElement, type RefObject, useEffect, useId, useState } from "react";
import { FullScreenError } from "../layout/FullScreenError.tsx";
import { RowSkeletons } from "../layout/RowSkeletons.tsx";
import row from "../layout/row.module.css";
import { SearchBox } from "../layout/SearchBox.tsx";
import scroll from "../layout/scroll.module.css";
import { SEARCH_PAUSE_MS } from "../layout/searchPause.ts";
import { AddableUserList } from "./AddableUserList.tsx";
import css from "./AddFriendPane.module.css";
import { ConfirmAddFriendDialog } from "./ConfirmAddFriendDialog.tsx";
import { useAddableUsers } from "./useAddableUsers.ts";

export interface AddFriendPaneProps {
  inputRef: RefObject<HTMLInputElement | null>;
  /** Back to the list of friends without a new one. */
  onClose: () => void;
  onAdded: () => void;
}

/** Finds somebody by username and, once confirmed, makes a friend of them. */
export function AddFriendPane({ inputRef, onClose, onAdded }: AddFriendPaneProps): ReactElement {
  const [text, setText] = useState("");
  const settledText = useDebouncedValue(text, SEARCH_PAUSE_MS).trim();
  const { users, searchedText, failure, retry } = useAddableUsers(settledText);
  const [chosen, setChosen] = useState<User | null>(null);
  const headingId = useId();

  useEffect(() => inputRef.current?.focus(), [inputRef]);

  return (
    <>
      <TextLink href="/home" icon="back" className={css.back} onClick={onPlainClick(onClose)}>
        Back home
      </TextLink>
      <SearchBox inputRef={inputRef} label="Search by username" text={text} onTextChange={setText} onLeave={onClose} />
      <section aria-labelledby={headingId} className={scroll.frame}>
        <h2 id={headingId} className={`${row.heading} ${css.heading}`}>
          Add Friend
        </h2>
        {users === null ? (
          <div className={scroll.area}>
            <RowSkeletons />
          </div>
        ) : (
          <AddableUserList users={users} onChoose={setChosen} />
        )}
        <div role="status" className={users?.length === 0 ? css.empty : undefined}>
          {users?.length === 0 ? <p className={row.note}>{nobodyFound(searchedText)}</p> : null}
        </div>
      </section>
      {chosen ? <ConfirmAddFriendDialog user={chosen} onCancel={() => setChosen(null)} onAdded={onAdded} /> : null}
      {failure ? <FullScreenError text={failure} onRetry={retry} onLeave={onClose} /> : null}
    </>
  );
}

function nobodyFound(text: string): string {
  return text === ""
    ? "Type a username to find somebody"
    : `User called '${text}' doesn't exist or is already in your friend list`;
}
