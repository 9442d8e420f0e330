import "@messageoh/ui-kit/tokens.css";
import "@messageoh/ui-kit/base.css";
import { API_BASE, createClient } from "@messageoh/contracts/client";
import { logIn, type User } from "@messageoh/contracts/users";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { PasswordField } from "@messageoh/ui-kit/fields/PasswordField";
import { TextField } from "@messageoh/ui-kit/fields/TextField";
import { type ReactElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { ChatPage } from "./ChatPage.tsx";

const call = createClient({ baseUrl: API_BASE });

/** Renders the chat without a shell, for development against a running gateway: a simple sign-in, then the page. */
function StandalonePage(): ReactElement {
  const [user, setUser] = useState<User | null>(null);
  const [path, setPath] = useState("/home");
  const [error, setError] = useState<string | null>(null);

  async function handleSignIn(form: FormData): Promise<void> {
    const body = { name: String(form.get("name")), password: String(form.get("password")) };
    try {
      setUser(await call(logIn, { body }));
    } catch (failure) {
      setError(String(failure));
    }
  }

  if (user) {
    return (
      <ChatPage
        user={user}
        friendId={decodeURIComponent(path.split("/")[2] ?? "") || undefined}
        navigate={setPath}
        onUserChanged={setUser}
        onLoggedOut={() => setUser(null)}
      />
    );
  }
  return (
    <main style={{ maxWidth: "24rem", margin: "2rem auto", padding: "1rem" }}>
      <form action={handleSignIn} style={{ display: "grid", gap: "1rem" }}>
        <TextField label="Username" name="name" autoComplete="username" />
        <PasswordField label="Password" name="password" autoComplete="current-password" />
        <FormError>{error}</FormError>
        <Button type="submit">Log in</Button>
      </form>
    </main>
  );
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");
createRoot(root).render(<StandalonePage />);
