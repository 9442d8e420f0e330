import { Button } from "@messageoh/ui-kit/controls/Button";
import { NoticeBar } from "@messageoh/ui-kit/feedback/NoticeBar";
import { type ReactElement, useState } from "react";
import { useChat } from "../useChat.ts";
import { askPermission, BLOCKED_TEXT } from "./permission.ts";

/** Renders the offer to turn notifications on, which a user sees until it is answered. */
export function NotificationsOffer(): ReactElement {
  const { change: changeNotifications } = useChat().notifications;
  const [isBlocked, setIsBlocked] = useState(false);

  async function turnOn(): Promise<void> {
    const answer = await askPermission();
    if (answer === "denied") setIsBlocked(true);
    else changeNotifications({ isOn: answer === "granted" });
  }

  return (
    <NoticeBar
      label="Notifications"
      answers={
        <>
          {isBlocked ? null : <Button onClick={() => void turnOn()}>Turn on</Button>}
          <Button variant="secondary" onClick={() => changeNotifications({})}>
            {isBlocked ? "OK" : "Not now"}
          </Button>
        </>
      }
    >
      {isBlocked ? BLOCKED_TEXT : "Do you want a notification when somebody writes to you?"}
    </NoticeBar>
  );
}
