import type { User } from "@messageoh/contracts/users";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, useId, useRef, useState } from "react";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import list from "../ui/borderedList.module.css";
import { useChat } from "../useChat.ts";
import css from "./PrivacyDialog.module.css";

/** Renders the people whom the user has blocked, each with a button that ends the block. */
export function BlockedPeople(): ReactElement {
  const { blocked, unblock } = useChat().api;
  const { value: people, setValue: setPeople, error, retry, changing: unblocking, change } = useLoaded(blocked);
  const [status, setStatus] = useState("");
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);

  async function handleUnblock({ id, name }: User): Promise<void> {
    if (!(await change(id, () => unblock(id)))) return;
    setPeople((current) => current?.filter((person) => person.id !== id) ?? null);
    setStatus(`${name} is unblocked. You can add each other again.`);
    // The focused button is gone.
    heading.current?.focus();
  }

  return (
    <section aria-labelledby={headingId}>
      <h3 ref={heading} id={headingId} tabIndex={-1} className={css.heading}>
        Blocked people
      </h3>
      {people === null ? (
        error ? null : (
          <Spinner />
        )
      ) : people.length === 0 ? (
        <p className={css.hint}>You have not blocked anybody.</p>
      ) : (
        <ul className={list.list} aria-labelledby={headingId}>
          {people.map((person) => (
            <li key={person.id} className={css.person}>
              <Avatar avatarId={person.avatar_id} alt="" />
              <span className={css.name}>{person.name}</span>
              <Button variant="secondary" isBusy={unblocking === person.id} onClick={() => void handleUnblock(person)}>
                Unblock<VisuallyHidden> {person.name}</VisuallyHidden>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FormError className={css.error}>{error}</FormError>
      {people === null && error ? <RetryButton onClick={retry} /> : null}
      <p role="status" className={css.hint}>
        {status}
      </p>
    </section>
  );
}
