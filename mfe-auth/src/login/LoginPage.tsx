import type { AuthPageProps } from "@messageoh/contracts/frontends";
import { logIn } from "@messageoh/contracts/users";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { type ReactElement, useId, useRef } from "react";
import { call } from "../api.ts";
import { AuthCard } from "../form/AuthCard.tsx";
import { UsernameField } from "../form/UsernameField.tsx";
import { useAuthForm } from "../form/useAuthForm.ts";

const SESSION_ENDED = "You were logged out here. The session was ended on another device or has expired.";

/** Renders the login form. The response sets the session cookie. */
export default function LoginPage({ navigate, onAuthenticated, hasSessionEnded }: AuthPageProps): ReactElement {
  const form = useAuthForm({ name: "", password: "" }, onAuthenticated);
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errorId = useId();

  function handleSubmit(): void {
    const [firstMissing] = form.submit(true, (body, signal) => call(logIn, { body, signal }));
    if (firstMissing) (firstMissing === "name" ? nameInput : passwordInput).current?.focus();
  }

  return (
    <AuthCard
      title="Log in to your account"
      notice={hasSessionEnded ? SESSION_ENDED : undefined}
      submitText="Log in"
      isBusy={form.isBusy}
      error={form.error}
      errorId={errorId}
      onSubmit={handleSubmit}
      footer={{ text: "No account?", link: "Register", path: "/register" }}
      navigate={navigate}
    >
      <UsernameField
        ref={nameInput}
        placeholder="Username"
        value={form.values.name}
        isMissing={form.isMissing("name")}
        aria-describedby={form.isMissing("name") ? errorId : undefined}
        onChange={(event) => form.set("name", event.target.value)}
      />
      <PasswordField
        ref={passwordInput}
        label="Password"
        name="password"
        placeholder="Password"
        autoComplete="current-password"
        required
        value={form.values.password}
        isMissing={form.isMissing("password")}
        aria-describedby={form.isMissing("password") ? errorId : undefined}
        onChange={(event) => form.set("password", event.target.value)}
      />
    </AuthCard>
  );
}
