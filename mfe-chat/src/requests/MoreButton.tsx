import * as icons from "@messageoh/ui-kit/basics/icons";
import { Button } from "@messageoh/ui-kit/controls/Button";
import type { ReactElement } from "react";
import { useFocusLost } from "../keyboard/useFocusLost.ts";

export interface MoreButtonProps {
  /** What the button says while nothing has failed. */
  label: string;
  status: "loading" | "failed" | "ready";
  onMore: () => void;
  onRetry: () => void;
  /** Called when the button disappears with the focus, because nothing more follows. */
  onFocusLost: () => void;
}

/**
 * Renders the button that loads the next page of a list. It keeps the focus meanwhile, and repeats a page that has
 * failed.
 */
export function MoreButton({ label, status, onMore, onRetry, onFocusLost }: MoreButtonProps): ReactElement {
  const hasFailed = status === "failed";
  return (
    <Button
      ref={useFocusLost(onFocusLost)}
      variant="secondary"
      icon={hasFailed ? icons.retry : undefined}
      isBusy={status === "loading"}
      onClick={hasFailed ? onRetry : onMore}
    >
      {hasFailed ? "Retry" : label}
    </Button>
  );
}
