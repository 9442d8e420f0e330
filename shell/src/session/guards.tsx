import type { ReactElement, ReactNode } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { PageFallback } from "../routing/PageFallback.tsx";
import { loginState, pathAfterLogin } from "./loginState.ts";
import type { SessionState } from "./sessionState.ts";
import type { Session } from "./useSession.ts";

/** Guards the landing page, login and registration: redirects a logged-in user to /home or to the requested thread. */
export function ForVisitors({ session }: { session: Session }): ReactElement {
  const { state } = useLocation();
  if (session.state.status === "loggedIn") return <Navigate to={pathAfterLogin(state)} replace />;
  return session.state.status === "anonymous" ? <Outlet /> : <Checking session={session} />;
}

interface ForUsersProps {
  session: Session;
  children: (state: SessionState & { status: "loggedIn" }) => ReactNode;
}

/** Guards /home: redirects a visitor to /login. */
export function ForUsers({ session, children }: ForUsersProps): ReactNode {
  const { pathname, search, hash } = useLocation();
  const { state } = session;
  if (state.status === "anonymous")
    return <Navigate to="/login" replace state={loginState(state, pathname + search + hash)} />;
  return state.status === "loggedIn" ? children(state) : <Checking session={session} />;
}

/** Renders the pending or failed check. A failed check keeps the stored id and does not redirect. */
function Checking({ session }: { session: Session }): ReactElement {
  return session.state.status === "failed" ? <PageFallback onRetry={session.retry} /> : <PageFallback />;
}
