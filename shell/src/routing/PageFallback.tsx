import { ErrorScreen } from "@messageoh/ui-kit/ErrorScreen";
import { Spinner } from "@messageoh/ui-kit/Spinner";
import { VisuallyHidden } from "@messageoh/ui-kit/VisuallyHidden";
import type { ReactElement } from "react";

/** Stands in for a screen that is on its way or, with `onRetry`, could not come. */
export function PageFallback({ onRetry }: { onRetry?: () => void }): ReactElement {
  return (
    <main>
      <VisuallyHidden as="h1">Messageoh</VisuallyHidden>
      {onRetry ? <ErrorScreen onRetry={onRetry} /> : <Spinner isFullScreen />}
    </main>
  );
}
