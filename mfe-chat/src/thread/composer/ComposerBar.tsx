import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import type { ReactElement } from "react";
import type { Composing } from "../../state/thread/thread.ts";
import { Quote } from "../reply/Quote.tsx";
import css from "./ComposerBar.module.css";

export interface ComposerBarProps {
  threadId: string;
  friendName: string;
  composing: Composing;
  /** Id of the description of the text area. */
  id: string;
  onCancel: () => void;
}

/** Renders what the composer is for: the message that is replied to, or that a message is edited. */
export function ComposerBar({ threadId, friendName, composing, id, onCancel }: ComposerBarProps): ReactElement {
  const isReply = composing.kind === "reply";
  return (
    <div className={css.bar}>
      <Icon icon={isReply ? icons.reply : icons.edit} size="1.25rem" />
      <div id={id} className={css.what}>
        {isReply ? (
          <>
            <VisuallyHidden>Reply to</VisuallyHidden>
            <Quote threadId={threadId} seq={composing.seq} friendName={friendName} />
          </>
        ) : (
          <span className={css.label}>Edit message</span>
        )}
      </div>
      <IconButton icon={icons.close} aria-label={isReply ? "Cancel reply" : "Cancel edit"} onClick={onCancel} />
    </div>
  );
}
