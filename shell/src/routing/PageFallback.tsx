import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import logo from "@messageoh/ui-kit/favicon.svg";
import { ErrorScreen } from "@messageoh/ui-kit/feedback/ErrorScreen";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import type { ReactElement } from "react";

/** Renders the logo and a spinner for a page that is loading or, with `onRetry`, an error with Retry. */
export function PageFallback({ onRetry }: { onRetry?: () => void }): ReactElement {
  return (
    <main className={onRetry ? undefined : "splash"}>
      <VisuallyHidden as="h1">Messageoh</VisuallyHidden>
      {onRetry ? (
        <ErrorScreen onRetry={onRetry} />
      ) : (
        <>
          <img src={logo} alt="" width={96} height={96} />
          <Spinner />
        </>
      )}
    </main>
  );
}
