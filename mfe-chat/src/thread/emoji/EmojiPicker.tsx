import { DESKTOP_QUERY } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { type KeyboardEvent, type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { isComposing } from "../../keyboard/isComposing.ts";
import { SearchField } from "../../search/SearchField.tsx";
import { noteRecentEmoji, recentEmoji } from "../../storage/recentEmoji.ts";
import { EmojiGrid } from "./EmojiGrid.tsx";
import css from "./EmojiPicker.module.css";
import { EMOJI_GROUPS, type Emoji, findEmoji } from "./emojiList.ts";

const RECENT = "Recent";
const TABS = [
  { name: RECENT, icon: "🕘" },
  ...EMOJI_GROUPS.map(({ name, emoji }) => ({ name, icon: emoji[0]?.emoji })),
];

export interface EmojiPickerProps {
  userId: string;
  onChoose: (emoji: string) => void;
}

/** Renders a search for emoji, their groups and the recent ones. It stays open when one is chosen. */
export function EmojiPicker({ userId, onChoose }: EmojiPickerProps): ReactElement {
  // The recent ones do not move while the picker is open.
  const [recent] = useState(() => namedEmoji(recentEmoji(userId)));
  const [group, setGroup] = useState(recent.length > 0 ? RECENT : EMOJI_GROUPS[0]?.name);
  const [text, setText] = useState("");
  const gridRef = useRef<HTMLDivElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const found = useMemo(() => (text.trim() === "" ? null : findEmoji(text)), [text]);
  const shown = found ?? (group === RECENT ? recent : (EMOJI_GROUPS.find(({ name }) => name === group)?.emoji ?? []));

  useEffect(() => {
    // On a phone the keyboard would cover the emoji.
    if (window.matchMedia(DESKTOP_QUERY).matches) inputRef.current?.focus();
  }, []);

  function choose(emoji: string): void {
    noteRecentEmoji(userId, emoji);
    onChoose(emoji);
  }

  function handleSearchKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const first = shown[0];
    if (event.key === "ArrowDown") gridRef.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    else if (event.key === "Enter" && found && first) choose(first.emoji);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  }

  return (
    <div className={css.picker} role="dialog" aria-label="Emoji">
      <SearchField
        inputRef={inputRef}
        label="Search emoji"
        text={text}
        onTextChange={setText}
        onKeyDown={handleSearchKey}
      />
      <div className={css.groups}>
        {TABS.map(({ name, icon }) => (
          <button
            key={name}
            type="button"
            className={css.group}
            aria-label={name}
            title={name}
            aria-pressed={found === null && name === group}
            onClick={() => {
              setGroup(name);
              setText("");
            }}
          >
            {icon}
          </button>
        ))}
      </div>
      <EmojiGrid key={found ? text : group} gridRef={gridRef} emoji={shown} onChoose={choose} />
      <p role="status" className={css.note}>
        {shown.length > 0 ? null : found ? "No emoji found" : "The emoji that you choose will be shown here"}
      </p>
    </div>
  );
}

function namedEmoji(glyphs: readonly string[]): Emoji[] {
  const all = new Map(EMOJI_GROUPS.flatMap(({ emoji }) => emoji).map((emoji) => [emoji.emoji, emoji]));
  return glyphs.flatMap((glyph) => all.get(glyph) ?? []);
}
