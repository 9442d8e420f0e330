import { preloadPictures } from "@messageoh/ui-kit/hooks/preloadPictures";
import sadRabbit from "@messageoh/ui-kit/sad-rabbit.svg";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./App.tsx";
import { NewVersionNotice } from "./federation/NewVersionNotice.tsx";
import { refuseDroppedFiles } from "./refuseDroppedFiles.ts";
import { repeatLogOut } from "./session/logOut.ts";

refuseDroppedFiles();
repeatLogOut();
for (const type of ["online", "visibilitychange"]) window.addEventListener(type, repeatLogOut);
preloadPictures([sadRabbit]);

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");
// React renders a transition in slices of a few milliseconds, which keeps slow phones responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <BrowserRouter>
        <App />
        <NewVersionNotice />
      </BrowserRouter>
    </StrictMode>,
  ),
);
