import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ComponentType, ReactElement } from "react";
import { RetryButton } from "./RetryButton.tsx";
import { useLoaded } from "./useLoaded.ts";

/** Imports the code of a view. */
type Load<Props> = () => Promise<ComponentType<Props>>;
/** `onClose` also closes the error. Without it, nothing is shown for a failure, because nobody waits. */
type Closable<Props> = Props & { onClose?: () => void };

/**
 * Returns a view whose code is loaded when it is shown, with the function that loads it. If that fails, a dialog offers Retry;
 * React.lazy would keep the failure, and an error boundary would replace the page.
 */
export const viewOnDemand = <Props extends object>(load: Load<Props>) =>
  Object.assign((props: Closable<Props>) => <LoadedView load={load} props={props} />, { load });

interface LoadedViewProps<Props> {
  load: Load<Props>;
  props: Closable<Props>;
}

function LoadedView<Props extends object>({ load, props }: LoadedViewProps<Props>): ReactElement | null {
  const { value: View, error, retry } = useLoaded(load);
  const { onClose } = props;
  if (View !== null) return <View {...props} />;
  if (error === null || !onClose) return null;
  return <Dialog onClose={() => onClose()} title={GENERIC_ERROR} footer={<RetryButton onClick={retry} />} />;
}
