import { MISSING_FIELDS } from "@messageoh/contracts/errorTexts";
import { userName } from "@messageoh/contracts/fields";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { useChat, useChatState } from "../useChat.ts";
import css from "./MyAccountDialog.module.css";

export interface ChangeNameFormProps {
  onCancel: () => void;
  onDone: (name: string) => void;
}

/** Renders the form that changes the user's name, with the rules of the registration. */
export function ChangeNameForm({ onCancel, onDone }: ChangeNameFormProps): ReactElement {
  const current = useChatState((state) => state.me.name);
  const { changeName } = useChat().account;
  const [name, setName] = useState(current);
  const [isMissing, setIsMissing] = useState(false);
  const { isBusy, error, setError, submit } = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const problem = name.trim() === "" ? null : (userName.safeParse(name).error?.issues[0]?.message ?? null);

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setIsMissing(name.trim() === "");
    if (name.trim() === "" || problem !== null) {
      input.current?.focus();
      return;
    }
    if (await submit(() => changeName(name.trim()))) onDone(name.trim());
    else input.current?.focus();
  }

  return (
    <form className={css.form} noValidate onSubmit={(event) => void handleSubmit(event)}>
      <TextField
        ref={input}
        label="New username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        value={name}
        isMissing={isMissing}
        error={problem}
        onChange={({ target }) => {
          setName(target.value);
          setIsMissing(false);
          setError(null);
        }}
      />
      <p className={css.explanation}>
        Nobody else can take your current name for 30 days. You can change your name three times in 30 days.
      </p>
      <div className={css.buttons}>
        <FormError className={css.error}>{isMissing ? MISSING_FIELDS : error}</FormError>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
