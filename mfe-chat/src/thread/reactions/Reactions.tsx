import type { ReactElement } from "react";
import type { ShownReaction, ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChat } from "../../useChat.ts";
import css from "./Reactions.module.css";

export interface ReactionsProps {
  message: ThreadMessage;
  reactions: readonly ShownReaction[];
  friendName: string;
  /** Whether the user can set and remove reactions. */
  canReact: boolean;
  /** Whether Tab reaches the controls of this message. */
  isTabStop: boolean;
}

/** Renders the reactions to a message over its lower edge. Each is a button that sets or removes the user's own one. */
export function Reactions({ message, reactions, friendName, canReact, isTabStop }: ReactionsProps): ReactElement {
  const { react } = useChat().changes;
  const { threadId, seq } = message;
  const byEmoji = Map.groupBy(reactions, ({ emoji }) => emoji);
  return (
    <div className={css.chips}>
      {[...byEmoji].map(([emoji, ofEmoji]) => {
        const isMine = ofEmoji.some((reaction) => reaction.isMine);
        const isFriends = ofEmoji.some((reaction) => !reaction.isMine);
        const who = isMine ? (isFriends ? `${friendName} and you` : "you") : friendName;
        return (
          <button
            key={emoji}
            type="button"
            className={css.toggle}
            aria-label={`${emoji} by ${who}`}
            title={`${emoji} by ${who}`}
            aria-pressed={isMine}
            disabled={!canReact}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => react(threadId, seq ?? 0, isMine ? null : emoji)}
          >
            <span className={css.chip} data-count={ofEmoji.length > 1 ? ofEmoji.length : undefined}>
              {emoji}
            </span>
          </button>
        );
      })}
    </div>
  );
}
