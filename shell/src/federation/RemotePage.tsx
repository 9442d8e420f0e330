import type { RemotePages } from "@messageoh/contracts/frontends";
import { type ReactElement, startTransition, useEffect, useState } from "react";
import { PageFallback } from "../routing/PageFallback.tsx";
import { Screen } from "../routing/Screen.tsx";
import { whenIdle, whenQuiet } from "../whenIdle.ts";
import { loadedPage, loadPage, type Page, type PageName } from "./loadPage.ts";
import { PageBoundary } from "./PageBoundary.tsx";
import css from "./RemotePage.module.css";

export interface RemotePageProps<Name extends PageName> {
  name: Name;
  /** Title of the browser tab. */
  title: string;
  pageProps: RemotePages[Name];
}

/** Renders a page of a remote, with a spinner while it loads and Retry when it cannot be loaded or throws. */
export function RemotePage<Name extends PageName>({ name, title, pageProps }: RemotePageProps<Name>): ReactElement {
  const [attempt, setAttempt] = useState(0);
  const [page, setPage] = useState<{ Page: Page<Name> | null; hasFailed: boolean }>(() => ({
    Page: loadedPage(name),
    hasFailed: false,
  }));

  useEffect(() => {
    let isCurrent = true;
    loadPage(name, attempt > 0).then(
      // React renders a transition in slices, so that a large page does not block a slow phone.
      (Page) => isCurrent && startTransition(() => setPage({ Page, hasFailed: false })),
      (error: unknown) => {
        console.error(`${name} is not available`, error);
        if (isCurrent) setPage({ Page: null, hasFailed: true });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [name, attempt]);

  const isLoaded = page.Page !== null;
  useEffect(() => {
    if (!isLoaded) return;
    // The service worker takes processor time from the page, but shows the notifications of users who have allowed
    // them.
    const isNeededNow = globalThis.Notification?.permission === "granted";
    (isNeededNow ? whenIdle : whenQuiet)(keepForOffline);
  }, [isLoaded]);

  function handleRetry(): void {
    setPage({ Page: loadedPage(name), hasFailed: false });
    setAttempt(attempt + 1);
  }

  const { Page, hasFailed } = page;
  return (
    <Screen title={title} isReady={Page !== null || hasFailed}>
      <div className={css.frame}>
        {Page ? (
          <PageBoundary key={attempt} fallback={<PageFallback onRetry={handleRetry} />}>
            <Page {...pageProps} />
          </PageBoundary>
        ) : (
          <PageFallback onRetry={hasFailed ? handleRetry : undefined} />
        )}
      </div>
    </Screen>
  );
}

// A separate chunk, which is loaded after the page.
function keepForOffline(): void {
  import("./serviceWorker.ts")
    .then((module) => module.keepForOffline())
    .catch((error: unknown) => console.warn("The app will not open offline", error));
}
