import { nextIndex } from "@messageoh/ui-kit/basics/nextIndex";
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
    const rows: Record<string, number> = { ArrowDown: tabStop + columns, ArrowUp: tabStop - columns };
    const target = rows[event.key] ?? nextIndex(event.key, tabStop, emoji.length, false);
    if (target === null) return;
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
