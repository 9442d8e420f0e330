import { FORWARD_MAX_FRIENDS } from "@messageoh/contracts/limits";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { DESKTOP_QUERY } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useId, useLayoutEffect, useRef, useState } from "react";
import { SearchBox } from "../../search/SearchBox.tsx";
import { searchContacts } from "../../search/searchContacts.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import row from "../../ui/row.module.css";
import { useChat } from "../../useChat.ts";
import css from "./ForwardDialog.module.css";
import { RecipientList } from "./RecipientList.tsx";
import { recipients } from "./recipients.ts";

export interface ForwardDialogProps {
  /** The thread that stays open. */
  threadId: string;
  /** In the order in which they are forwarded. */
  messages: readonly ThreadMessage[];
  onClose: () => void;
  /** Called instead of `onClose` when the messages are on their way. */
  onForwarded: () => void;
}

/** Renders the choice of the friends to whom messages are forwarded. */
export function ForwardDialog({ threadId, messages, onClose, onForwarded }: ForwardDialogProps): ReactElement {
  const { store, messages: actions, openThread, showNotice } = useChat();
  // The rows keep their places while the user chooses.
  const [friends] = useState(() => recipients(store.get()));
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const inputRef = useRef<HTMLInputElement>(null);
  const statusId = useId();
  const shown = text.trim() === "" ? friends : searchContacts(friends, text);
  const isFull = chosen.size >= FORWARD_MAX_FRIENDS;

  useLayoutEffect(() => {
    // On a phone the keyboard would cover the friends.
    if (window.matchMedia(DESKTOP_QUERY).matches) inputRef.current?.focus();
  }, []);

  function choose(friendId: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (!isChosen) next.delete(friendId);
    else if (!isFull) next.add(friendId);
    setChosen(next);
  }

  function forward(): void {
    const [first, ...others] = actions.forward(messages, [...chosen]);
    onForwarded();
    if (first === undefined) showNotice(threadId, "You can only write to your friends");
    else if (others.length === 0) openThread(first);
    else showNotice(threadId, `Forwarded to ${others.length + 1} friends`);
  }

  return (
    <Dialog
      onClose={onClose}
      title={messages.length === 1 ? "Forward message" : `Forward ${messages.length} messages`}
      footer={
        <>
          <p role="status" id={statusId} className={css.status}>
            {statusOf(chosen.size)}
          </p>
          <Button icon={icons.forwardMessage} disabled={chosen.size === 0} onClick={forward}>
            Forward
          </Button>
        </>
      }
    >
      <div className={css.choice}>
        <SearchBox inputRef={inputRef} label="Search friends" text={text} onTextChange={setText} onLeave={onClose} />
        <div role="status">
          {shown.length === 0 ? <p className={row.note}>{`No result for '${text.trim()}'`}</p> : null}
        </div>
        <RecipientList friends={shown} chosen={chosen} isFull={isFull} reasonId={statusId} onChoose={choose} />
      </div>
    </Dialog>
  );
}

function statusOf(chosen: number): string {
  if (chosen >= FORWARD_MAX_FRIENDS) return `You can forward to at most ${FORWARD_MAX_FRIENDS} friends at once.`;
  return chosen === 0 ? `Choose up to ${FORWARD_MAX_FRIENDS} friends.` : `${chosen} of ${FORWARD_MAX_FRIENDS} chosen`;
}
