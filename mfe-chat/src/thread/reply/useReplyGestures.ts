import type { MouseEvent } from "react";
import { isAnswerable } from "../../state/thread/messageRights.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import type { Act } from "../menu/useRowActions.tsx";
import { useSwipeReply } from "./useSwipeReply.ts";

/**
 * Returns the handlers for the list of messages that reply on a double click on a bubble and on a swipe to the right.
 */
export function useReplyGestures(messages: readonly ThreadMessage[], canWrite: boolean, act: Act) {
  function reply(article: HTMLElement): void {
    const key = article.querySelector<HTMLElement>("[data-row]")?.dataset.row;
    const message = messages.find((candidate) => candidate.key === key);
    if (message && canWrite && isAnswerable(message)) act("reply", message);
  }

  return {
    ...useSwipeReply(reply),
    onDoubleClick({ target }: MouseEvent): void {
      const element = target instanceof Element ? target : null;
      const article = element?.closest("article");
      if (!article || !element?.closest("[data-swipe]") || element.closest("a, button, input")) return;
      // The double click has selected a word.
      getSelection()?.removeAllRanges();
      reply(article);
    },
  };
}
