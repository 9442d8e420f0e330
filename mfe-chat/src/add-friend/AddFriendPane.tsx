import type { User } from "@messageoh/contracts/users";
import { onPlainClick } from "@messageoh/ui-kit/onPlainClick";
import { TextLink } from "@messageoh/ui-kit/TextLink";
import { type ReactElement, type RefObject, useEffect, useId, useState } from "react";
import { RowSkeletons } from "../rows/RowSkeletons.tsx";
import row from "../rows/row.module.css";
import scroll from "../rows/scroll.module.css";
import { SearchBox } from "../search/SearchBox.tsx";
import { useDebouncedSearch } from "../search/useDebouncedSearch.ts";
import { AddableUserList } from "./AddableUserList.tsx";
import css from "./AddFriendPane.module.css";
import { ConfirmAddFriendDialog } from "./ConfirmAddFriendDialog.tsx";
import { FullScreenError } from "./FullScreenError.tsx";
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
  const settledText = useDebouncedSearch(text);
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
