import { userName } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import { UsernameField } from "@messageoh/ui-kit/fields/UsernameField";
import { type ReactElement, useRef, useState } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { useChat, useChatState } from "../useChat.ts";
import { AccountForm } from "./AccountForm.tsx";
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
  const submission = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  const wanted = name.trim();
  const problem = wanted === "" ? null : (safeParse(userName, name).error?.message ?? null);

  async function handleSubmit(): Promise<boolean> {
    setIsMissing(wanted === "");
    const isDone = wanted !== "" && problem === null && (await submission.submit(() => changeName(wanted)));
    if (isDone) onDone(wanted);
    return isDone;
  }

  return (
    <AccountForm
      input={input}
      isMissing={isMissing}
      submission={submission}
      submitLabel="Save"
      onCancel={onCancel}
      onSubmit={handleSubmit}
    >
      <UsernameField
        ref={input}
        label="New username"
        value={name}
        isMissing={isMissing}
        error={problem}
        onChange={({ target }) => {
          setName(target.value);
          setIsMissing(false);
          submission.setError(null);
        }}
      />
      <p className={css.explanation}>
        Nobody else can take your current name for 30 days. You can change your name three times in 30 days.
      </p>
    </AccountForm>
  );
}
