import type { ReactElement } from "react";
import { Route, Routes } from "react-router-dom";
import { HomePage } from "./pages/HomePage.tsx";
import { LandingPage } from "./pages/LandingPage.tsx";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { SignInPage } from "./pages/SignInPage.tsx";
import { ForVisitors } from "./session/guards.tsx";
import { useSession } from "./session/useSession.ts";

/** Renders the routes of the product. Remotes render the pages of `/login`, `/register` and `/home`. */
export function App(): ReactElement {
  const session = useSession();
  return (
    <Routes>
      <Route element={<ForVisitors session={session} />}>
        <Route index element={<LandingPage />} />
        <Route caseSensitive path="register" element={<SignInPage page="register" onAuthenticated={session.start} />} />
        <Route caseSensitive path="login" element={<SignInPage page="login" onAuthenticated={session.start} />} />
      </Route>
      <Route caseSensitive path="home/:friendId?" element={<HomePage session={session} />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
