import type { DeletedTexts } from "@messageoh/contracts/users";
import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { type ReactElement, useRef, useState } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { useChat, useChatState } from "../useChat.ts";
import { AccountForm } from "./AccountForm.tsx";
import css from "./MyAccountDialog.module.css";

const CHOICES: readonly [DeletedTexts, string][] = [
  ["keep", "Friends keep the messages that I sent them"],
  ["remove", "Friends see “deleted” in place of each message that I sent"],
];

/** Renders the form that deletes the account after the password. The user is logged out when it succeeds. */
export function DeleteAccountForm({ onCancel }: { onCancel: () => void }): ReactElement {
  const name = useChatState((state) => state.me.name);
  const { delete: deleteAccount } = useChat().account;
  const [texts, setTexts] = useState<DeletedTexts>("keep");
  const [password, setPassword] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const submission = useSubmit();
  const input = useRef<HTMLInputElement>(null);

  async function handleSubmit(): Promise<boolean> {
    setIsMissing(password === "");
    return password !== "" && submission.submit(() => deleteAccount(password, texts));
  }

  return (
    <AccountForm
      label="Delete account"
      input={input}
      isMissing={isMissing}
      submission={submission}
      submitLabel="Delete my account"
      isDangerous
      onCancel={onCancel}
      onSubmit={handleSubmit}
    >
      <p className={css.warning}>
        You will be logged out on all devices, and nobody can undo this. Friends will see “Deleted account” in place of
        your name and can no longer write to you. Your name will be free for others after 30 days.
      </p>
      <fieldset className={css.choices}>
        <legend>Your messages</legend>
        {CHOICES.map(([value, label]) => (
          <ChoiceField
            key={value}
            type="radio"
            label={label}
            name="texts"
            value={value}
            checked={texts === value}
            onChange={() => setTexts(value)}
          />
        ))}
      </fieldset>
      {/* Password managers need the username to find the password. */}
      <input hidden type="text" name="username" autoComplete="username" value={name} readOnly />
      <PasswordField
        ref={input}
        label="Your password"
        name="current-password"
        autoComplete="current-password"
        required
        value={password}
        isMissing={isMissing}
        onChange={({ target }) => {
          setPassword(target.value);
          setIsMissing(false);
          submission.setError(null);
        }}
      />
    </AccountForm>
  );
}
