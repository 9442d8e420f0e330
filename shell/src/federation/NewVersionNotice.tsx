import { Button } from "@messageoh/ui-kit/Button";
import { IconButton } from "@messageoh/ui-kit/IconButton";
import { type ReactElement, useState } from "react";
import css from "./NewVersionNotice.module.css";
import { useNewVersion } from "./useNewVersion.ts";

/** Offers a reload once a newer release is live. Drafts and messages on their way are kept by the chat. */
export function NewVersionNotice(): ReactElement {
  const version = useNewVersion();
  const [dismissed, setDismissed] = useState<string | null>(null);
  const isShown = version !== null && version !== dismissed;
  // The region is there from the start: only what changes inside it is read out.
  return (
    <div role="status" className={css.place}>
      {isShown ? (
        <div className={css.notice}>
          <span>A new version is ready</span>
          <Button variant="quiet" onClick={() => location.reload()}>
            Reload
          </Button>
          <IconButton icon="close" aria-label="Not now" onClick={() => setDismissed(version)} />
        </div>
      ) : null}
    </div>
  );
}
