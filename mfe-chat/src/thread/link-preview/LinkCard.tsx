import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import type { ReactElement } from "react";
import css from "./LinkCard.module.css";
import { PreviewContent } from "./PreviewContent.tsx";

export interface LinkCardProps {
  preview: LinkPreview;
  /** Whether Tab reaches the card. */
  isTabStop: boolean;
}

/** Renders the preview of a link in a message. The whole card is the link. */
export function LinkCard({ preview, isTabStop }: LinkCardProps): ReactElement {
  return (
    <a
      className={css.card}
      href={preview.url}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={isTabStop ? 0 : -1}
      draggable={false}
    >
      <PreviewContent preview={preview} />
    </a>
  );
}
