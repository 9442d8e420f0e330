import type { SessionInfo } from "@messageoh/contracts/users";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useRef, useState } from "react";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import list from "../ui/borderedList.module.css";
import { useChat } from "../useChat.ts";
import { lastUse, sessionBegin } from "./lastUse.ts";
import css from "./SessionsDialog.module.css";

const ownFirst = (a: SessionInfo, b: SessionInfo): number => Number(b.is_current) - Number(a.is_current);

/** Renders the list of the user's sessions, with controls to end one or all of them. */
export function SessionsDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { endSession, sessions: listSessions } = useChat().api;
  const { logOutEverywhere } = useChat().account;
  const loaded = useLoaded(listSessions);
  const { value: sessions, setValue: setSessions, error, retry, change: end } = loaded;
  /** What is being ended: the session with this id, "others" or "all". */
  const ending = loaded.changing;
  /** "Log out everywhere" waits for its confirmation. */
  const [isConfirming, setIsConfirming] = useState(false);
  const [status, setStatus] = useState("");
  const listRef = useRef<HTMLUListElement>(null);

  async function handleEnd({ id, device }: SessionInfo): Promise<void> {
    if (!(await end(id, () => endSession(id)))) return;
    setSessions((current) => current?.filter((session) => session.id !== id) ?? null);
    setStatus(`${device} is logged out`);
    // The focused button is gone; move the focus to the list.
    listRef.current?.focus();
  }

  async function handleEndOthers(): Promise<void> {
    const others = sessions?.filter((session) => !session.is_current) ?? [];
    const endAll = async (): Promise<void> => {
      for (const { id } of others) {
        await endSession(id);
        setSessions((current) => current?.filter((session) => session.id !== id) ?? null);
      }
    };
    if (!(await end("others", endAll))) return;
    setStatus("All other sessions are logged out");
    listRef.current?.focus();
  }

  const hasOthers = sessions?.some((session) => !session.is_current);

  return (
    <Dialog
      onClose={onClose}
      title="Sessions"
      footer={
        isConfirming ? (
          <>
            <p className={css.question} role="alert">
              Log out on all devices, this one too?
            </p>
            <Button variant="secondary" onClick={() => setIsConfirming(false)}>
              Cancel
            </Button>
            <Button
              autoFocus
              variant="danger"
              isBusy={ending === "all"}
              onClick={() => void end("all", logOutEverywhere)}
            >
              Log out everywhere
            </Button>
          </>
        ) : sessions ? (
          <>
            {hasOthers ? (
              <Button
                className={css.all}
                variant="secondary"
                isBusy={ending === "others"}
                onClick={() => void handleEndOthers()}
              >
                Log out all others
              </Button>
            ) : null}
            <Button className={css.all} variant="danger" onClick={() => setIsConfirming(true)}>
              Log out everywhere
            </Button>
          </>
        ) : error ? (
          <RetryButton onClick={retry} />
        ) : null
      }
    >
      <p className={css.intro}>Where you are logged in. End what you do not know or no longer use.</p>
      {sessions ? (
        <ul ref={listRef} className={list.list} tabIndex={-1} aria-label="Your sessions">
          {[...sessions].sort(ownFirst).map((session) => (
            <li key={session.id} className={css.session}>
              <span className={css.text}>
                <span className={css.device}>{session.device}</span>
                <span className={css.use}>
                  {session.is_current ? "This device" : lastUse(session.last_used_at, Date.now())}
                </span>
                <span className={css.use}>{sessionBegin(session.created_at)}</span>
              </span>
              {session.is_current ? null : (
                <Button
                  className={css.end}
                  variant="secondary"
                  isBusy={ending === session.id}
                  onClick={() => void handleEnd(session)}
                >
                  Log out<VisuallyHidden> {session.device}</VisuallyHidden>
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : error ? null : (
        <Spinner />
      )}
      <FormError className={css.error}>{error}</FormError>
      <VisuallyHidden role="status">{status}</VisuallyHidden>
    </Dialog>
  );
}
