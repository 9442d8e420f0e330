import type { AuthPageProps } from "@messageoh/contracts/frontends";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { UsernameField } from "@messageoh/ui-kit/fields/UsernameField";
import { type ReactElement, useId, useRef } from "react";
import { AuthCard } from "../form/AuthCard.tsx";
import { useAuthForm } from "../form/useAuthForm.ts";
import type { LoginValues } from "../form/validation.ts";

const SESSION_ENDED = "You were logged out here. The session was ended elsewhere or has expired.";

const loadCall = () => import("./sendLogIn.ts");

/** Renders the login form. The call loads with the first input, so that the form shows earlier. */
export default function LoginPage({ navigate, onAuthenticated, hasSessionEnded }: AuthPageProps): ReactElement {
  const form = useAuthForm({ name: "", password: "" }, onAuthenticated);
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errorId = useId();

  function handleSubmit(): void {
    const [firstMissing] = form.submit(true, async (body, signal) => (await loadCall()).sendLogIn(body, signal));
    if (firstMissing) (firstMissing === "name" ? nameInput : passwordInput).current?.focus();
  }

  function handleInput(field: keyof LoginValues, text: string): void {
    form.set(field, text);
    // A failure counts when the form is sent, which loads the call again.
    loadCall().catch(() => undefined);
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
        onChange={(event) => handleInput("name", event.target.value)}
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
        onChange={(event) => handleInput("password", event.target.value)}
      />
    </AuthCard>
  );
}
