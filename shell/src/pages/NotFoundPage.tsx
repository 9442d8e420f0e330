import { LinkButton } from "@messageoh/ui-kit/controls/LinkButton";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import { EmptyState } from "@messageoh/ui-kit/feedback/EmptyState";
import sadRabbit from "@messageoh/ui-kit/sad-rabbit.svg";
import type { ReactElement } from "react";
import { useNavigate } from "react-router-dom";
import { Screen } from "../routing/Screen.tsx";
import css from "./NotFoundPage.module.css";

export function NotFoundPage(): ReactElement {
  const navigate = useNavigate();
  return (
    <Screen title="Page not found – Messageoh">
      <main className={css.page}>
        <EmptyState art={sadRabbit} artAlt="A sad rabbit" title="Uh oh! Page not found..." titleAs="h1">
          <LinkButton href="/" onClick={onPlainClick(() => void navigate("/"))}>
            Back home
          </LinkButton>
        </EmptyState>
      </main>
    </Screen>
  );
}
