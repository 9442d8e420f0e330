import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import type { ReactElement } from "react";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import css from "./MessageMarks.module.css";

type Marked = Pick<ThreadMessage, "isPinned" | "isStarred">;

/** Returns the marks of a message for its accessible name. */
export const markNames = ({ isPinned, isStarred }: Marked): string[] => [
  ...(isPinned ? ["pinned"] : []),
  ...(isStarred ? ["starred"] : []),
];

/** Renders the marks of a pinned and of a starred message. The name of the message contains them. */
export function MessageMarks({ isPinned, isStarred }: Marked): ReactElement {
  return (
    <>
      {isPinned ? (
        <span className={css.mark} title="Pinned">
          <Icon icon={icons.pin} size="0.875rem" />
        </span>
      ) : null}
      {isStarred ? (
        <span className={css.mark} title="Starred">
          <Icon icon={icons.star} size="0.875rem" />
        </span>
      ) : null}
    </>
  );
}
