import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { useCloseFromOutside } from "@messageoh/ui-kit/hooks/useCloseFromOutside";
import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import { isComposing } from "../../keyboard/isComposing.ts";
import { viewOnDemand } from "../../requests/viewOnDemand.tsx";
import { useChatState } from "../../useChat.ts";
import css from "./MessageComposer.module.css";

const EmojiPicker = viewOnDemand(() => import("../emoji/EmojiPicker.tsx"), "EmojiPicker");

export interface EmojiButtonProps {
  onChoose: (emoji: string) => void;
  /** Called when the picker closes on Esc, to restore the focus. */
  onDone: () => void;
}

/** Renders the button of the emoji picker, whose code is loaded when it is first opened. */
export function EmojiButton({ onChoose, onDone }: EmojiButtonProps): ReactElement {
  const userId = useChatState((state) => state.me.id);
  const isWide = useMediaQuery(DESKTOP_QUERY);
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = () => setIsOpen(false);
  useBackToClose(isOpen && !isWide, close);

  useCloseFromOutside([root], close);

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !isOpen || isComposing(event)) return;
    event.preventDefault();
    // Esc must not close the thread.
    event.stopPropagation();
    close();
    onDone();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc acts on the controls inside
    <div ref={root} onKeyDown={handleKeyDown}>
      <IconButton
        icon={icons.smile}
        aria-label="Emoji"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen ? (
        <div className={css.picker}>
          <EmojiPicker userId={userId} onChoose={onChoose} onClose={close} />
        </div>
      ) : null}
    </div>
  );
}
