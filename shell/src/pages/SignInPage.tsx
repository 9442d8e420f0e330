import type { AuthPageProps } from "@messageoh/contracts/frontends";
import type { ReactElement } from "react";
import { useLocation } from "react-router-dom";
import { RemotePage } from "../federation/RemotePage.tsx";
import { usePreloadedChat } from "../federation/usePreloadedChat.ts";
import { useStableNavigate } from "../routing/useStableNavigate.ts";
import { readLoginState } from "../session/loginState.ts";

const PAGES = {
  login: { name: "mfe_auth/LoginPage", title: "Log in – Messageoh" },
  register: { name: "mfe_auth/RegisterPage", title: "Register – Messageoh" },
} as const;

export interface SignInPageProps {
  page: keyof typeof PAGES;
  onAuthenticated: AuthPageProps["onAuthenticated"];
}

/** Renders the login or registration page of mfe_auth. The guard of these routes redirects to /home after a sign-in. */
export function SignInPage({ page, onAuthenticated }: SignInPageProps): ReactElement {
  const { state } = useLocation();
  // Keep the requested thread when switching between login and registration.
  const navigate = useStableNavigate(state);
  usePreloadedChat();
  const { name, title } = PAGES[page];
  const { hasSessionEnded } = readLoginState(state);
  return <RemotePage key={name} name={name} title={title} pageProps={{ navigate, onAuthenticated, hasSessionEnded }} />;
}
