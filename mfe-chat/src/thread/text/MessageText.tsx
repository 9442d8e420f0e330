import { mayBeFormatted } from "@messageoh/contracts/formatting";
import type { ReactNode } from "react";
import { FormattedText } from "./FormattedText.tsx";
import { TextWithLinks } from "./TextWithLinks.tsx";

export interface MessageTextProps {
  text: string;
  /** Whether Tab reaches the buttons of code blocks. */
  isTabStop?: boolean;
}

/** Renders the text of a message with its formatting and links. */
export function MessageText({ text, isTabStop = true }: MessageTextProps): ReactNode {
  return mayBeFormatted(text) ? <FormattedText text={text} isTabStop={isTabStop} /> : <TextWithLinks text={text} />;
}
