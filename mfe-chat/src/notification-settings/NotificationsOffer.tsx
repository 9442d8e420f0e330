import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { type ReactElement, useState } from "react";
import { useChat } from "../useChat.ts";
import css from "./NotificationsOffer.module.css";
import { askPermission, BLOCKED_TEXT } from "./permission.ts";

/** Renders a card with the offer to turn notifications on, which a user sees until it is answered. */
export function NotificationsOffer(): ReactElement {
  const { change: changeNotifications } = useChat().notifications;
  const [isBlocked, setIsBlocked] = useState(false);

  async function turnOn(): Promise<void> {
    const answer = await askPermission();
    if (answer === "denied") setIsBlocked(true);
    else changeNotifications({ isOn: answer === "granted" });
  }

  return (
    <section className={css.card} aria-label="Notifications">
      <span className={css.icon}>
        <Icon icon={icons.bell} size="1.25rem" />
      </span>
      <p className={css.text}>{isBlocked ? BLOCKED_TEXT : "Do you want a notification when somebody writes to you?"}</p>
      <div className={css.answers}>
        {isBlocked ? null : (
          <Button variant="quiet" onClick={() => void turnOn()}>
            Turn on
          </Button>
        )}
        <Button variant="quiet" onClick={() => changeNotifications({})}>
          {isBlocked ? "OK" : "Not now"}
        </Button>
      </div>
    </section>
  );
}
