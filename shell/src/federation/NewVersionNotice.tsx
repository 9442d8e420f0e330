import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import css from "./NewVersionNotice.module.css";
import { useNewVersion } from "./useNewVersion.ts";

/** Renders an offer to reload when a newer release is live. The chat keeps drafts and unsent messages over a reload. */
export function NewVersionNotice(): ReactElement {
  const version = useNewVersion();
  const isThread = useLocation().pathname.startsWith("/home/");
  const [dismissed, setDismissed] = useState<string | null>(null);
  /** What had the focus before. */
  const opener = useRef<HTMLElement>(null);
  const isShown = version !== null && version !== dismissed;

  function dismiss(): void {
    setDismissed(version);
    opener.current?.focus();
  }

  // The live region is always mounted, because screen readers announce only changes inside it.
  return (
    <div
      role="status"
      className={isThread ? css.place : `${css.place} ${css.low}`}
      onFocus={({ currentTarget, relatedTarget }) => {
        const isOutside = relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget);
        if (isOutside) opener.current = relatedTarget;
      }}
    >
      {isShown ? (
        <div className={css.notice}>
          <span>A new version is ready</span>
          <Button variant="quiet" onClick={() => location.reload()}>
            Reload
          </Button>
          <IconButton icon={icons.close} aria-label="Not now" onClick={dismiss} />
        </div>
      ) : null}
    </div>
  );
}
