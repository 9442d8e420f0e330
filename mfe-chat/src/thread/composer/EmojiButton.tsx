import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { useCloseFromOutside } from "@messageoh/ui-kit/hooks/useCloseFromOutside";
import { DESKTOP_QUERY, useMediaQuery } from "@messageoh/ui-kit/hooks/useMediaQuery";
import { useBackToClose } from "@messageoh/ui-kit/overlays/useBackToClose";
import { type ReactElement, useRef, useState } from "react";
import { onEscape } from "../../keyboard/onEscape.ts";
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

  const handleEscape = onEscape(() => {
    close();
    onDone();
  });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc acts on the controls inside
    <div ref={root} onKeyDown={isOpen ? handleEscape : undefined}>
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
