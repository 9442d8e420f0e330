import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { useWindowEvent } from "@messageoh/ui-kit/hooks/useWindowEvent";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ComponentType, ReactElement } from "react";
import { isComposing } from "../keyboard/isComposing.ts";
import { RetryButton } from "./RetryButton.tsx";
import { useLoaded } from "./useLoaded.ts";

/** Imports the code of a view. */
type Load<Props> = () => Promise<ComponentType<Props>>;
/** `onClose` also cancels the loading and closes the error. Without it, nobody waits, and a failure is not shown. */
type Closable<Props> = Props & { onClose?: () => void };

/**
 * Returns a view whose code is loaded when it is shown, with the function that loads it. If that fails, a dialog offers
 * Retry; React.lazy would keep the failure, and an error boundary would replace the page.
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
  if (!onClose) return null;
  if (error === null) return <Loading onCancel={() => onClose()} />;
  return <Dialog onClose={() => onClose()} title={GENERIC_ERROR} footer={<RetryButton onClick={retry} />} />;
}

/** Calls `onCancel` on Esc, which must reach neither the thread nor a dialog below. */
function Loading({ onCancel }: { onCancel: () => void }): null {
  useWindowEvent(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || isComposing({ nativeEvent: event })) return;
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    },
    true,
  );
  return null;
}
