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

/** Login or registration, from mfe_auth. The guard of these routes goes home once somebody is signed in. */
export function SignInPage({ page, onAuthenticated }: SignInPageProps): ReactElement {
  const { state } = useLocation();
  // From the login to the registration and back, the thread that the visitor came for is kept.
  const navigate = useStableNavigate(state);
  usePreloadedChat();
  const { name, title } = PAGES[page];
  const { hasSessionEnded } = readLoginState(state);
  return <RemotePage key={name} name={name} title={title} pageProps={{ navigate, onAuthenticated, hasSessionEnded }} />;
}
