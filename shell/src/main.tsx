import "./withoutEval.ts";
import "@messageoh/ui-kit/tokens.css";
import "@messageoh/ui-kit/base.css";
import "./main.css";
import { preloadPictures } from "@messageoh/ui-kit/hooks/preloadPictures";
import sadRabbit from "@messageoh/ui-kit/sad-rabbit.svg";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { App } from "./App.tsx";
import { NewVersionNotice } from "./federation/NewVersionNotice.tsx";
import { refuseDroppedFiles } from "./refuseDroppedFiles.ts";

refuseDroppedFiles();
preloadPictures([sadRabbit]);

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");
createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
    <NewVersionNotice />
  </StrictMode>,
);
