import type { AvatarId } from "@messageoh/contracts/avatars";
import { beginningOf } from "@messageoh/contracts/beginningOf";
import { PASSWORD_TOO_SHORT } from "@messageoh/contracts/errorTexts";
import { findPasswordProblem, isPasswordTooShort, PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordProblem";
import type { AuthPageProps } from "@messageoh/contracts/frontends";
import { NAME_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import { AvatarPicker } from "@messageoh/ui-kit/avatars/AvatarPicker";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { UsernameField } from "@messageoh/ui-kit/fields/UsernameField";
import { useSettledCheck } from "@messageoh/ui-kit/hooks/useSettledCheck";
import { type ReactElement, useId, useRef, useState } from "react";
import { AuthCard } from "../form/AuthCard.tsx";
import { useAuthForm } from "../form/useAuthForm.ts";
import type { Field, RegisterValues } from "../form/validation.ts";
import css from "./RegisterPage.module.css";
import { useRegistration } from "./useRegistration.ts";

const EMPTY: RegisterValues = { name: "", password: "", avatar: null };

/** Renders the registration form. A registered user is signed in at once. */
export default function RegisterPage({ navigate, onAuthenticated }: AuthPageProps): ReactElement {
  const form = useAuthForm(EMPTY, onAuthenticated);
  const { name, password } = form.values;
  const passwordProblem = useSettledCheck(password, name, PASSWORD_CHECK_MS, findPasswordProblem);
  /** Whether the form was submitted since the last edit of the password. A submit does not wait for the delay. */
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { nameError, createAccount, prepare } = useRegistration();
  const badName = nameError(name);
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLDivElement>(null);
  const errorId = useId();

  function handleSubmit(): void {
    setIsSubmitted(true);
    const isGoodPassword = !isPasswordTooShort(password) && passwordProblem === null;
    const [firstMissing] = form.submit(isGoodPassword && badName === null, createAccount);
    if (firstMissing === "name" || badName !== null) nameInput.current?.focus();
    else if (firstMissing === "password" || !isGoodPassword) passwordInput.current?.focus();
    else if (firstMissing === "avatar") picker.current?.querySelector<HTMLElement>('[role="radio"]')?.focus();
  }

  const describedBy = (field: Field) => (form.isMissing(field) ? errorId : undefined);
  return (
    <AuthCard
      title="Create your account"
      isWide
      submitText="Register"
      isBusy={form.isBusy}
      error={form.error}
      errorId={errorId}
      onSubmit={handleSubmit}
      footer={{ link: "Log in", path: "/login" }}
      navigate={navigate}
    >
      <div className={css.row}>
        <UsernameField
          ref={nameInput}
          placeholder="Username e.g. Albus212"
          value={name}
          error={badName}
          isMissing={form.isMissing("name")}
          aria-describedby={describedBy("name")}
          onChange={(event) => {
            form.set("name", beginningOf(event.target.value, NAME_MAX_CHARACTERS));
            prepare();
          }}
        />
        <PasswordField
          ref={passwordInput}
          label="Password"
          name="password"
          placeholder="Password"
          autoComplete="new-password"
          required
          value={password}
          error={isSubmitted && isPasswordTooShort(password) ? PASSWORD_TOO_SHORT : passwordProblem}
          isMissing={form.isMissing("password")}
          aria-describedby={describedBy("password")}
          onChange={(event) => {
            form.set("password", event.target.value);
            setIsSubmitted(false);
            prepare();
          }}
        />
      </div>
      <div ref={picker} className={css.picker}>
        <AvatarPicker
          title="Choose your avatar"
          value={form.values.avatar}
          isMissing={form.isMissing("avatar")}
          onChange={(avatar: AvatarId) => form.set("avatar", avatar)}
        />
      </div>
    </AuthCard>
  );
}
