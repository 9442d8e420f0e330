import { emoji as oneEmoji } from "@messageoh/contracts/fields";
import { safeParse } from "@messageoh/contracts/parse";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { nextIndex } from "@messageoh/ui-kit/basics/nextIndex";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { useCloseFromOutside } from "@messageoh/ui-kit/hooks/useCloseFromOutside";
import { useFit } from "@messageoh/ui-kit/hooks/useFit";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { isComposing } from "../../keyboard/isComposing.ts";
import { viewOnDemand } from "../../requests/viewOnDemand.tsx";
import { useChatState } from "../../useChat.ts";
import css from "./ReactionBar.module.css";

const USUAL = [
  { emoji: "👍", name: "Thumbs up" },
  { emoji: "❤️", name: "Red heart" },
  { emoji: "😂", name: "Face with tears of joy" },
  { emoji: "😮", name: "Face with open mouth" },
  { emoji: "😢", name: "Crying face" },
  { emoji: "🙏", name: "Folded hands" },
];

const EmojiPicker = viewOnDemand(() => import("../emoji/EmojiPicker.tsx"), "EmojiPicker");

export interface ReactionBarProps {
  /** The user's reaction to the message. */
  own: string | null;
  /** Point in the window where the bar opens. */
  at: { x: number; y: number };
  /** Called with an emoji, or `null` to remove the reaction. */
  onChoose: (emoji: string | null) => void;
  /** @param isDone whether the focus returns to the opener */
  onClose: (isDone: boolean) => void;
}

/** Renders the usual emoji, and the emoji picker on request. Choosing the user's own reaction again removes it. */
export function ReactionBar({ own, at, onChoose, onClose }: ReactionBarProps): ReactElement {
  const userId = useChatState((state) => state.me.id);
  const [hasPicker, setHasPicker] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const style = useFit(bar, at, hasPicker);
  useBackToClose(true, () => onClose(true));
  useCloseFromOutside([bar], () => onClose(false));
  useEffect(() => {
    // The picker replaces the focused button. Its search takes the focus only on a wide screen.
    const place = hasPicker ? bar.current : bar.current?.querySelector("button");
    place?.focus({ preventScroll: true });
  }, [hasPicker]);

  function choose(glyph: string): void {
    // The picker's emoji may have a variation selector more than the recommended ones.
    const emoji = safeParse(oneEmoji, glyph).success ? glyph : glyph.replaceAll("\uFE0F", "");
    onChoose(emoji === own ? null : emoji);
  }

  function handleKeyDown(event: KeyboardEvent): void {
    // Keys of the bar must not reach the list and the thread.
    if (event.key !== "Tab") event.stopPropagation();
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose(true);
    }
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
    const focused = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = nextIndex(event.key, focused, buttons.length);
    if (hasPicker || next === null) return;
    event.preventDefault();
    buttons[next]?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the emoji are the controls
    <div
      ref={bar}
      // The picker is a dialog of its own.
      {...(hasPicker ? { role: "presentation" } : { role: "dialog", "aria-label": "React" })}
      tabIndex={-1}
      className={hasPicker ? css.picker : css.bar}
      style={style}
      onKeyDown={handleKeyDown}
    >
      {hasPicker ? (
        <EmojiPicker userId={userId} onChoose={choose} onClose={() => onClose(true)} />
      ) : (
        <>
          {USUAL.map(({ emoji, name }) => (
            <button
              key={emoji}
              type="button"
              className={css.emoji}
              aria-label={name}
              title={name}
              aria-pressed={emoji === own}
              onClick={() => choose(emoji)}
            >
              {emoji}
            </button>
          ))}
          <IconButton icon={icons.plus} aria-label="More emoji" onClick={() => setHasPicker(true)} />
        </>
      )}
    </div>
  );
}
