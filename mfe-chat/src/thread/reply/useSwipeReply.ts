import { readingDirection } from "@messageoh/ui-kit/basics/readingDirection";
import { type PointerEvent, useRef } from "react";

/** Movement in the direction of reading in px that replies. */
const SWIPE_PX = 60;
/** How far the message moves at most. */
const MOVE_MAX_PX = 72;
/** Movement in px from which the direction counts. */
const INTENT_PX = 10;

interface Swipe {
  article: HTMLElement;
  x: number;
  y: number;
  isHorizontal: boolean;
}

/**
 * Returns the handlers for the list of messages that reply to the message that is swiped in the direction of reading.
 */
export function useSwipeReply(onReply: (article: HTMLElement) => void) {
  const swipe = useRef<Swipe>(null);

  function move(px: number): void {
    const line = swipe.current?.article.querySelector<HTMLElement>("[data-swipe]");
    if (!line) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    line.style.translate = px > 0 && !isStill ? `${readingDirection() * Math.min(px, MOVE_MAX_PX)}px` : "";
  }

  function end(): void {
    move(0);
    swipe.current = null;
  }

  return {
    onPointerDown({ pointerType, isPrimary, target, clientX: x, clientY: y }: PointerEvent): void {
      end();
      const article = target instanceof Element ? target.closest("article") : null;
      // A player moves its position.
      const isPlayer = target instanceof Element && target.closest("video, audio, input") !== null;
      if (pointerType === "touch" && isPrimary && article && !isPlayer)
        swipe.current = { article, x, y, isHorizontal: false };
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      const { current } = swipe;
      if (!current) return;
      const [ahead, down] = [readingDirection() * (clientX - current.x), Math.abs(clientY - current.y)];
      if (!current.isHorizontal && Math.max(Math.abs(ahead), down) > INTENT_PX) {
        current.isHorizontal = ahead > 2 * down;
        if (!current.isHorizontal) end();
      }
      if (current.isHorizontal) move(ahead);
    },
    onPointerUp({ clientX }: PointerEvent): void {
      const { current } = swipe;
      end();
      if (current?.isHorizontal && readingDirection() * (clientX - current.x) >= SWIPE_PX) onReply(current.article);
    },
    onPointerCancel: end,
  };
}
