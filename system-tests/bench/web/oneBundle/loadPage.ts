import type { RemotePages } from "@messageoh/contracts/frontends";
import type { ComponentType } from "react";

// Replaces shell/src/federation/loadPage.ts: loads the pages from chunks of the same build.
type PageName = keyof RemotePages;
type Page<Name extends PageName> = ComponentType<RemotePages[Name]>;

const PAGES: { [Name in PageName]: () => Promise<{ default: Page<Name> }> } = {
  "mfe_auth/LoginPage": () => import("../../../../mfe-auth/src/login/LoginPage.tsx"),
  "mfe_auth/RegisterPage": () => import("../../../../mfe-auth/src/register/RegisterPage.tsx"),
  "mfe_chat/ChatPage": () => import("../../../../mfe-chat/src/ChatPage.tsx"),
};
const loaded = new Map<PageName, unknown>();

export function loadedPage<Name extends PageName>(name: Name): Page<Name> | null {
  return (loaded.get(name) as Page<Name> | undefined) ?? null;
}

export async function loadPage<Name extends PageName>(name: Name): Promise<Page<Name>> {
  const { default: page } = await PAGES[name]();
  loaded.set(name, page);
  return page;
}

/** The single bundle has no releases of remotes. */
export const releasesInUse = (): ReadonlyMap<"mfe_auth" | "mfe_chat", { release: string }> => new Map();
