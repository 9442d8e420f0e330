import { MISSING_FIELDS, PASSWORD_TOO_SHORT } from "@messageoh/contracts/errorTexts";
import { findPasswordProblem, isPasswordTooShort, PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordProblem";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { useSettledCheck } from "@messageoh/ui-kit/hooks/useSettledCheck";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type FormEvent, type ReactElement, useId, useRef, useState } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { useChat, useChatState } from "../useChat.ts";
import css from "./ChangePasswordDialog.module.css";

/** Renders a dialog that changes the password, and its result. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }): ReactElement {
  const userName = useChatState((state) => state.me.name);
  const { changePassword } = useChat().api;
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  /** Whether the form was submitted since the last edit, which clears its marks. */
  const [isChecked, setIsChecked] = useState(false);
  const { isBusy, error: serverError, setError: setServerError, submit } = useSubmit();
  const [isDone, setIsDone] = useState(false);
  const currentInput = useRef<HTMLInputElement>(null);
  const nextInput = useRef<HTMLInputElement>(null);
  const formId = useId();
  const doneId = useId();
  const isMissing = current === "" || next === "";
  const problem = useSettledCheck(next, userName, PASSWORD_CHECK_MS, findPasswordProblem);

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setIsChecked(true);
    if (isMissing || isPasswordTooShort(next) || problem !== null) {
      (current === "" ? currentInput : nextInput).current?.focus();
      return;
    }
    setIsDone(await submit(() => changePassword(current, next)));
  }

  function edit(set: (text: string) => void): (event: { target: { value: string } }) => void {
    return ({ target }) => {
      set(target.value);
      setIsChecked(false);
      setServerError(null);
    };
  }

  if (isDone) {
    return (
      <Dialog
        onClose={onClose}
        title="Change password"
        footer={
          <Button autoFocus aria-describedby={doneId} onClick={onClose}>
            Done
          </Button>
        }
      >
        <p id={doneId}>Your password is changed. All your other sessions are logged out.</p>
      </Dialog>
    );
  }

  return (
    <Dialog
      onClose={onClose}
      title="Change password"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isBusy={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={(event) => void handleSubmit(event)}>
        {/* Password managers need the username to assign the password. */}
        <input hidden type="text" name="username" autoComplete="username" value={userName} readOnly />
        <PasswordField
          ref={currentInput}
          label="Current password"
          name="current-password"
          autoComplete="current-password"
          required
          data-autofocus
          value={current}
          isMissing={isChecked && current === ""}
          onChange={edit(setCurrent)}
        />
        <PasswordField
          ref={nextInput}
          label="New password"
          name="new-password"
          autoComplete="new-password"
          required
          value={next}
          isMissing={isChecked && next === ""}
          error={isChecked && isPasswordTooShort(next) ? PASSWORD_TOO_SHORT : problem}
          onChange={edit(setNext)}
        />
        <FormError>{isChecked && isMissing ? MISSING_FIELDS : serverError}</FormError>
      </form>
    </Dialog>
  );
}
