import type { Privacy } from "@messageoh/contracts/users";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useId } from "react";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import { useChat } from "../useChat.ts";
import { BlockedPeople } from "./BlockedPeople.tsx";
import { LinkPreviewsChoice } from "./LinkPreviewsChoice.tsx";
import css from "./PrivacyDialog.module.css";

const CHOICES: readonly { value: Privacy["who_may_add"]; label: string }[] = [
  { value: "everyone", label: "Everyone" },
  { value: "nobody", label: "Nobody" },
];

/** Renders who may add the user, whether links get previews, and the people whom the user has blocked. */
export function PrivacyDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { privacy: loadPrivacy, changePrivacy } = useChat().api;
  const { value: privacy, setValue: setPrivacy, error, retry, changing, change } = useLoaded(loadPrivacy);
  const name = useId();

  async function choose(chosen: Privacy): Promise<void> {
    const before = privacy;
    setPrivacy(chosen);
    if (!(await change("privacy", () => changePrivacy(chosen)))) setPrivacy(before);
  }

  return (
    <Dialog onClose={onClose} title="Privacy">
      <fieldset className={css.choices} aria-busy={changing !== null}>
        <legend className={css.heading}>Who can add you?</legend>
        {privacy ? (
          <>
            {CHOICES.map(({ value, label }) => (
              <ChoiceField
                key={value}
                type="radio"
                label={label}
                name={name}
                checked={privacy.who_may_add === value}
                onChange={() => void choose({ who_may_add: value })}
              />
            ))}
            <p className={css.hint}>
              If nobody can add you, others do not find you. You can still add friends yourself.
            </p>
          </>
        ) : error ? null : (
          <Spinner />
        )}
        <FormError className={css.error}>{error}</FormError>
        {!privacy && error ? <RetryButton onClick={retry} /> : null}
      </fieldset>
      <LinkPreviewsChoice />
      <BlockedPeople />
    </Dialog>
  );
}
