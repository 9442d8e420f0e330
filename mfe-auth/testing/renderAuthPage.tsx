import type { AuthPageProps } from "@messageoh/contracts/frontends";
import type { User } from "@messageoh/contracts/users";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";

/** Renders a page as the shell does. `shell` records the calls to the shell's callbacks. */
export function renderAuthPage(Page: ComponentType<AuthPageProps>, advanceTimers?: (ms: number) => void) {
  const shell = { paths: [] as string[], users: [] as User[] };
  render(
    <Page navigate={(path) => void shell.paths.push(path)} onAuthenticated={(user) => void shell.users.push(user)} />,
  );
  return { shell, user: userEvent.setup(advanceTimers ? { advanceTimers } : {}) };
}
