import avatars from "@messageoh/ui-kit/avatars.svg";
import { Card } from "@messageoh/ui-kit/basics/Card";
import { LinkButton } from "@messageoh/ui-kit/controls/LinkButton";
import { onPlainClick } from "@messageoh/ui-kit/controls/onPlainClick";
import messageIcon from "@messageoh/ui-kit/message.svg";
import type { ReactElement } from "react";
import { useNavigate } from "react-router-dom";
import { Screen } from "../routing/Screen.tsx";
import css from "./LandingPage.module.css";

/** Renders the landing page. It is part of the shell, so it needs no remote. */
export function LandingPage(): ReactElement {
  const navigate = useNavigate();
  return (
    <Screen title="Messageoh">
      <main className={css.page}>
        <div className={css.stage}>
          <div className={css.animals} aria-hidden="true">
            {["bear-id", "rabbit-id", "fox-id"].map((animal) => (
              <img key={animal} src={`${avatars}#${animal}`} alt="" width={96} height={96} />
            ))}
          </div>
          <Card className={css.card}>
            <h1 className={css.title}>Welcome to Messageoh!</h1>
            <p className={css.tagline}>The instant Messageoh that keeps you connected</p>
            <p className={css.about}>Chat one to one in your browser. No phone number, nothing to install.</p>
            <img className={css.icon} src={messageIcon} alt="" width={96} height={96} />
            <div className={css.actions}>
              <LinkButton href="/login" onClick={onPlainClick(() => void navigate("/login"))}>
                Log in
              </LinkButton>
              <LinkButton href="/register" variant="secondary" onClick={onPlainClick(() => void navigate("/register"))}>
                Register
              </LinkButton>
            </div>
          </Card>
        </div>
      </main>
    </Screen>
  );
}
