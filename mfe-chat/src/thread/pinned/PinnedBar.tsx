import { summaryOf } from "@messageoh/contracts/attachments";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { Menu } from "@messageoh/ui-kit/controls/Menu";
import { type ReactElement, useState } from "react";
import { useFocusLost } from "../../keyboard/useFocusLost.ts";
import type { ThreadMessage } from "../../state/thread/shownMessages.ts";
import { useChat } from "../../useChat.ts";
import css from "./PinnedBar.module.css";

export interface PinnedBarProps {
  /** Newest first. */
  pins: readonly ThreadMessage[];
  canUnpin: boolean;
  /** Called when the bar disappears with the focus in it. */
  onFocusLost: () => void;
}

/** Renders a pinned message, at first the newest. A click jumps to it and shows the next older one. */
export function PinnedBar({ pins, canUnpin, onFocusLost }: PinnedBarProps): ReactElement | null {
  const { changes, jumpToMessage } = useChat();
  const [step, setStep] = useState(0);
  const [visited, setVisited] = useState("");
  const bar = useFocusLost<HTMLDivElement>(onFocusLost);
  const at = step < pins.length ? step : 0;
  const pin = pins[at];

  if (!pin) return null;
  const { threadId, seq } = pin;
  const text = summaryOf(pin);
  const place = pins.length > 1 ? ` ${at + 1} of ${pins.length}` : "";

  function visit(): void {
    if (seq === null) return;
    void jumpToMessage({ thread_id: threadId, seq });
    setVisited(text);
    setStep((at + 1) % pins.length);
  }

  return (
    <div ref={bar} className={css.bar}>
      <button type="button" className={css.pin} aria-label={`Pinned message${place}: ${text}`} onClick={visit}>
        {pins.length > 1 ? (
          <span className={css.places}>
            {pins.map(({ key }, index) => (
              <span key={key} className={index === at ? css.current : undefined} />
            ))}
          </span>
        ) : null}
        <Icon icon={icons.pin} size="1.25rem" />
        <span className={css.text} dir="auto">
          {text}
        </span>
      </button>
      {/* Screen readers cannot see the highlighted message. */}
      <VisuallyHidden role="status">{visited}</VisuallyHidden>
      {canUnpin && seq !== null ? (
        <Menu
          label="Menu of the pinned message"
          align="end"
          button={<Icon icon={icons.more} />}
          items={[{ id: "unpin", label: "Unpin", icon: icons.pin, onSelect: () => changes.pin(threadId, seq, false) }]}
        />
      ) : null}
    </div>
  );
}
