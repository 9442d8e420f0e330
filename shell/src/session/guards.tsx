import type { User } from "@messageoh/contracts/users";
import type { ReactElement, ReactNode } from "react";
import { Navigate, Outlet } from "react-router-dom";
import { PageFallback } from "../routing/PageFallback.tsx";
import type { Session } from "./useSession.ts";

/** Landing and sign-in: whoever is logged in goes home. */
export function ForVisitors({ session }: { session: Session }): ReactElement {
  if (session.state.status === "loggedIn") return <Navigate to="/home" replace />;
  return session.state.status === "anonymous" ? <Outlet /> : <Checking session={session} />;
}

/** Home: whoever is not logged in goes to the login page. */
export function ForUsers({ session, children }: { session: Session; children: (user: User) => ReactNode }): ReactNode {
  if (session.state.status === "anonymous") return <Navigate to="/login" replace />;
  return session.state.status === "loggedIn" ? children(session.state.user) : <Checking session={session} />;
}

/** Nobody knows yet who this is. No answer is no reason to send a person away: the stored id stays. */
function Checking({ session }: { session: Session }): ReactElement {
  return session.state.status === "failed" ? <PageFallback onRetry={session.retry} /> : <PageFallback />;
}
