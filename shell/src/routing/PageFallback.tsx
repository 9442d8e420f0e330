import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { ErrorScreen } from "@messageoh/ui-kit/feedback/ErrorScreen";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import type { ReactElement } from "react";

/** Renders a spinner for a page that is loading or, with `onRetry`, an error with Retry. */
export function PageFallback({ onRetry }: { onRetry?: () => void }): ReactElement {
  return (
    <main>
      <VisuallyHidden as="h1">Messageoh</VisuallyHidden>
      {onRetry ? <ErrorScreen onRetry={onRetry} /> : <Spinner isFullScreen />}
    </main>
  );
}
