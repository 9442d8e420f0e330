import type { AuthPageProps } from "@messageoh/contracts/frontends";
import { failNetwork, respondUnreadable } from "@messageoh/contracts/testing/httpServer";
import type { User } from "@messageoh/contracts/users";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";

export const MISSING = "Please fill in or select all required fields";
/** An error text of the server, which a page shows unchanged. */
export const SERVER_TEXT = "The server's own words, <b>as they are</b>";

/** Renders a page as the shell does. `shell` records the calls to the shell's callbacks. */
export function renderAuthPage(Page: ComponentType<AuthPageProps>, advanceTimers?: (ms: number) => void) {
  const shell = { paths: [] as string[], users: [] as User[] };
  render(
    <Page navigate={(path) => void shell.paths.push(path)} onAuthenticated={(user) => void shell.users.push(user)} />,
  );
  return { shell, user: userEvent.setup(advanceTimers ? { advanceTimers } : {}) };
}

export const passwordField = () => screen.getByPlaceholderText("Password");
export const isMarked = (field: HTMLElement) => field.getAttribute("aria-invalid") === "true";

/** Returns the cases of a call without a response that the page can show. */
export const withoutResponse = (endpoint: Parameters<typeof failNetwork>[0]) =>
  [
    ["a network failure", failNetwork(endpoint)],
    ["a response that cannot be read", respondUnreadable(endpoint)],
  ] as const;
