import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { ReactElement } from "react";
import type { SendState } from "../state/thread/shownMessages.ts";
import css from "./SendStateMark.module.css";

const MARKS: Record<SendState, { name: string; icon: icons.IconShape }> = {
  sending: { name: "Sending", icon: icons.clock },
  sent: { name: "Sent", icon: icons.check },
  delivered: { name: "Delivered", icon: icons.doubleCheck },
  read: { name: "Read", icon: icons.doubleCheck },
  "not-sent": { name: "Not sent", icon: icons.alert },
};

/** Renders the send state of an own message. */
export function SendStateMark({ state }: { state: SendState }): ReactElement {
  const { name, icon } = MARKS[state];
  return (
    <span role="img" aria-label={name} title={name} className={`${css.mark} ${css[state] ?? ""}`}>
      <Icon icon={icon} size="1.125rem" />
    </span>
  );
}
