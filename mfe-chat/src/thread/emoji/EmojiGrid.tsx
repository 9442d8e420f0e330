import { readingDirection } from "@messageoh/ui-kit/basics/readingDirection";
import { type KeyboardEvent, type ReactElement, type RefObject, useState } from "react";
import css from "./EmojiPicker.module.css";
import type { Emoji } from "./emojiList.ts";

/** Columns of the grid with a mouse. On touch screens, the stylesheet makes fewer and larger ones. */
const COLUMNS = 8;

export interface EmojiGridProps {
  gridRef: RefObject<HTMLDivElement | null>;
  emoji: readonly Emoji[];
  onChoose: (emoji: string) => void;
}

/** Renders emoji as one Tab stop; arrows, Home and End move between them. */
export function EmojiGrid({ gridRef, emoji, onChoose }: EmojiGridProps): ReactElement {
  const [tabStop, setTabStop] = useState(0);

  function handleKeyDown(event: KeyboardEvent): void {
    const columns = columnsOf(event.currentTarget);
    const steps: Record<string, number> = {
      ArrowRight: tabStop + readingDirection(),
      ArrowLeft: tabStop - readingDirection(),
      ArrowDown: tabStop + columns,
      ArrowUp: tabStop - columns,
      Home: 0,
      End: emoji.length - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const button = gridRef.current?.children[target];
    if (button instanceof HTMLElement) button.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the emoji are the controls
    <div ref={gridRef} className={css.grid} onKeyDown={handleKeyDown}>
      {emoji.map(({ emoji: glyph, name }, index) => (
        <button
          key={glyph}
          type="button"
          className={css.emoji}
          aria-label={name}
          title={name}
          tabIndex={index === tabStop ? 0 : -1}
          onFocus={() => setTabStop(index)}
          onClick={() => onChoose(glyph)}
        >
          {glyph}
        </button>
      ))}
    </div>
  );
}

function columnsOf(grid: Element): number {
  const { gridTemplateColumns } = getComputedStyle(grid);
  return gridTemplateColumns ? gridTemplateColumns.split(" ").length : COLUMNS;
}
