import type { User } from "./users.ts";

/** Raised when a page needs a prop that an older shell does not pass. Additions are optional and do not raise it. */
export const PAGE_PROPS_VERSION = 1;
/** The oldest version whose pages a shell still serves: raised when it stops passing what they need. */
export const PAGE_PROPS_OLDEST = 1;

/** Goes to a path of the shell's router. */
export type Navigate = (path: string, options?: { replace?: boolean }) => void;

/** Props of `mfe_auth/LoginPage` and `mfe_auth/RegisterPage`. */
export interface AuthPageProps {
  navigate: Navigate;
  /** The session cookie is set; the shell stores the id and goes to /home. */
  onAuthenticated: (user: User) => void;
  /** The session that was used here has ended without a log-out: the login page says so. */
  hasSessionEnded?: boolean;
}

/** Props of `mfe_chat/ChatPage`. */
export interface ChatPageProps {
  user: User;
  /** The friend whose thread the address names (`/home/:friendId`), if any. */
  friendId: string | undefined;
  navigate: Navigate;
  onUserChanged: (user: User) => void;
  /** The user logged out here, or (`"ended"`) the server said that the session is over. */
  onLoggedOut: (why?: "ended") => void;
}

/** What each remote exposes, by federation name: the shell knows these names and nothing else of a remote. */
export interface RemotePages {
  "mfe_auth/LoginPage": AuthPageProps;
  "mfe_auth/RegisterPage": AuthPageProps;
  "mfe_chat/ChatPage": ChatPageProps;
}

/** Every page that the shell shows, `remote/Page`. */
export const REMOTE_PAGES = Object.keys({
  "mfe_auth/LoginPage": true,
  "mfe_auth/RegisterPage": true,
  "mfe_chat/ChatPage": true,
} satisfies Record<keyof RemotePages, true>) as (keyof RemotePages)[];
