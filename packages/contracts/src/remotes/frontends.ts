import type { Send } from "../http/request.ts";
import type { User } from "../http/users.ts";

/** Version of the page props. Raise it when a page requires a prop that an older shell does not pass. */
export const PAGE_PROPS_VERSION = 1;
/** Oldest version that the shell supports. Raise it when the shell stops passing a prop that older pages require. */
export const PAGE_PROPS_OLDEST = 1;

/** Navigates to a path of the shell's router. */
export type Navigate = (path: string, options?: { replace?: boolean }) => void;

/** Props of `mfe_auth/LoginPage` and `mfe_auth/RegisterPage`. */
export interface AuthPageProps {
  navigate: Navigate;
  /** Call it when the session cookie is set. The shell stores the user's id and navigates to /home. */
  onAuthenticated: (user: User) => void;
  /** Whether the last session in this browser ended without a sign-out. The login page then says so. */
  hasSessionEnded?: boolean;
}

/** Props of `mfe_chat/ChatPage`. */
export interface ChatPageProps {
  user: User;
  /** Friend id from the URL (`/home/:friendId`), if any. */
  friendId: string | undefined;
  navigate: Navigate;
  onUserChanged: (user: User) => void;
  /**
   * Call it when the user has signed out, or with `"ended"` when the server reports that the session has ended. Pass
   * the call that signs out if it has not ended yet: if it fails, the shell repeats it.
   */
  onLoggedOut: (why?: "ended", call?: Promise<unknown>) => void;
  /**
   * IndexedDB database for what the page stores of the user. The shell deletes it at the end of the session. Without
   * it, store nothing.
   */
  deviceDatabase?: string;
  /** The server did not respond: the user is the one whom the device remembers. Show what is stored of them. */
  isUnconfirmed?: boolean;
  /**
   * Replaces `fetch`: it returns the responses to `firstCalls` of the manifest, which the shell has requested early.
   */
  send?: Send;
}

/** Props of the exposed pages, by federation name. The shell knows nothing else about a remote. */
export interface RemotePages {
  "mfe_auth/LoginPage": AuthPageProps;
  "mfe_auth/RegisterPage": AuthPageProps;
  "mfe_chat/ChatPage": ChatPageProps;
}

/** Every page that the shell shows, as `remote/Page`. */
export const REMOTE_PAGES = Object.keys({
  "mfe_auth/LoginPage": true,
  "mfe_auth/RegisterPage": true,
  "mfe_chat/ChatPage": true,
} satisfies Record<keyof RemotePages, true>) as (keyof RemotePages)[];
