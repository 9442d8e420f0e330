import type { LinkPreview } from "@messageoh/contracts/linkPreviews";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useEffect } from "react";
import css from "./ComposerPreview.module.css";
import { PreviewContent } from "./PreviewContent.tsx";
import { useLinkPreview } from "./useLinkPreview.ts";

export interface ComposerPreviewProps {
  threadId: string;
  /** What the user is writing. */
  text: string;
  /** Called with the preview that the message gets, or `null`. */
  onChange: (preview: LinkPreview | null) => void;
  /** Called when the user has removed the preview. */
  onRemoved: () => void;
}

/** Renders the preview of the first link of the text that is being written, once it is loaded. */
export function ComposerPreview({ threadId, text, onChange, onRemoved }: ComposerPreviewProps): ReactElement {
  const { preview, remove } = useLinkPreview(threadId, text);
  useEffect(() => {
    onChange(preview);
    return () => onChange(null);
  }, [preview, onChange]);

  return (
    <>
      <VisuallyHidden role="status">{preview ? `Link preview: ${preview.title}` : ""}</VisuallyHidden>
      {preview ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
        <div role="group" aria-label="Link preview" className={css.preview}>
          <div className={css.content}>
            <PreviewContent key={preview.id} preview={preview} />
          </div>
          <IconButton
            icon={icons.close}
            aria-label="Remove link preview"
            onClick={() => {
              remove();
              onRemoved();
            }}
          />
        </div>
      ) : null}
    </>
  );
}
