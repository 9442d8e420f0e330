import "@messageoh/ui-kit/tokens.css";
import "@messageoh/ui-kit/base.css";
import { type ReactElement, useState } from "react";
import { createRoot } from "react-dom/client";
import LoginPage from "./login/LoginPage.tsx";
import RegisterPage from "./register/RegisterPage.tsx";

/** Renders both pages without a shell, for development. Links switch pages; a sign-in only shows the user's name. */
function StandalonePage(): ReactElement {
  const [path, setPath] = useState("/login");
  const Page = path === "/register" ? RegisterPage : LoginPage;
  return <Page navigate={setPath} onAuthenticated={(user) => alert(`Signed in as ${user.name}`)} />;
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");
createRoot(root).render(<StandalonePage />);
