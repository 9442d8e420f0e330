import type { AuthPageProps } from "@messageoh/contracts/frontends";
import type { ReactElement } from "react";
import { RemotePage } from "../federation/RemotePage.tsx";
import { usePreloadedChat } from "../federation/usePreloadedChat.ts";
import { useStableNavigate } from "../routing/useStableNavigate.ts";

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
  const navigate = useStableNavigate();
  usePreloadedChat();
  const { name, title } = PAGES[page];
  return <RemotePage key={name} name={name} title={title} pageProps={{ navigate, onAuthenticated }} />;
}
