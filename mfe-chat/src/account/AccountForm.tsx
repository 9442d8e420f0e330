import { MISSING_FIELDS } from "@messageoh/contracts/errorTexts";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type FormEvent, type ReactElement, type ReactNode, type RefObject, useEffect } from "react";
import type { Submit } from "../requests/useSubmit.ts";
import css from "./MyAccountDialog.module.css";

export interface AccountFormProps {
  label?: string;
  /** The field that begins with the focus, and gets it back after a failure. */
  input: RefObject<HTMLInputElement | null>;
  /** The field was empty when the form was submitted. */
  isMissing: boolean;
  submission: Submit;
  submitLabel: string;
  isDangerous?: boolean;
  onCancel: () => void;
  /** Resolves with whether the form is done. */
  onSubmit: () => Promise<boolean>;
  children: ReactNode;
}

/** Renders a form of the account with its error and its buttons. */
export function AccountForm(props: AccountFormProps): ReactElement {
  const { label, input, isMissing, submission, submitLabel, isDangerous = false, onCancel, onSubmit, children } = props;
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [input]);

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!submission.isBusy && !(await onSubmit())) input.current?.focus();
  }

  return (
    <form className={css.form} noValidate aria-label={label} onSubmit={(event) => void handleSubmit(event)}>
      {children}
      <div className={css.buttons}>
        <FormError className={css.error}>{isMissing ? MISSING_FIELDS : submission.error}</FormError>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={isDangerous ? "danger" : undefined} isBusy={submission.isBusy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
