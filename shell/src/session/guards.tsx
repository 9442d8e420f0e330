import type { User } from "@messageoh/contracts/users";
import type { ReactElement, ReactNode } from "react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { PageFallback } from "../routing/PageFallback.tsx";
import { loginState, pathAfterLogin } from "./loginState.ts";
import type { Session } from "./useSession.ts";

/** Landing and sign-in: a logged-in user goes home, or to the thread that led to the login page. */
export function ForVisitors({ session }: { session: Session }): ReactElement {
  const { state } = useLocation();
  if (session.state.status === "loggedIn") return <Navigate to={pathAfterLogin(state)} replace />;
  return session.state.status === "anonymous" ? <Outlet /> : <Checking session={session} />;
}

/** Home: a visitor goes to the login page. */
export function ForUsers({ session, children }: { session: Session; children: (user: User) => ReactNode }): ReactNode {
  const { pathname } = useLocation();
  const { state } = session;
  if (state.status === "anonymous") return <Navigate to="/login" replace state={loginState(state, pathname)} />;
  return state.status === "loggedIn" ? children(state.user) : <Checking session={session} />;
}

/** Nobody knows yet who this is. No answer is no reason to send a person away: the stored id stays. */
function Checking({ session }: { session: Session }): ReactElement {
  return session.state.status === "failed" ? <PageFallback onRetry={session.retry} /> : <PageFallback />;
}
