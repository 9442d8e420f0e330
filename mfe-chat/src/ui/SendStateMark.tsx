import { Icon, type IconName } from "@messageoh/ui-kit/basics/Icon";
import type { ReactElement } from "react";
import type { SendState } from "../state/thread/shownMessages.ts";
import css from "./SendStateMark.module.css";

const MARKS: Record<SendState, { name: string; icon: IconName }> = {
  sending: { name: "Sending", icon: "clock" },
  sent: { name: "Sent", icon: "check" },
  delivered: { name: "Delivered", icon: "double-check" },
  read: { name: "Read", icon: "double-check" },
  "not-sent": { name: "Not sent", icon: "alert" },
};

/** Renders the send state of an own message. */
export function SendStateMark({ state }: { state: SendState }): ReactElement {
  const { name, icon } = MARKS[state];
  return (
    <span role="img" aria-label={name} title={name} className={`${css.mark} ${css[state] ?? ""}`}>
      <Icon name={icon} size="1.125rem" />
    </span>
  );
}
