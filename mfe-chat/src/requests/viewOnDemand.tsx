import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { useWindowEvent } from "@messageoh/ui-kit/hooks/useWindowEvent";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ComponentType, ReactElement } from "react";
import { isComposing } from "../keyboard/isComposing.ts";
import { RetryButton } from "./RetryButton.tsx";
import { useLoaded } from "./useLoaded.ts";

/** `onClose` also cancels the loading and closes the error. */
type Closable<Props> = Props & { onClose: () => void };

/**
 * Returns the view that a module exports with a name, with the function that loads the module. It is loaded when the
 * view is shown. If that fails, a dialog offers Retry; React.lazy would keep the failure, and an error boundary would
 * replace the page.
 */
export function viewOnDemand<Props extends object, Name extends string>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  const loadView = async () => (await load())[name];
  return Object.assign((props: Closable<Props>) => <LoadedView load={loadView} props={props} />, { load });
}

interface LoadedViewProps<Props> {
  load: () => Promise<ComponentType<Props>>;
  props: Closable<Props>;
}

function LoadedView<Props extends object>({ load, props }: LoadedViewProps<Props>): ReactElement {
  const { value: View, error, retry } = useLoaded(load);
  const close = () => props.onClose();
  if (View !== null) return <View {...props} />;
  if (error === null) return <Loading onCancel={close} />;
  return <Dialog onClose={close} title={GENERIC_ERROR} footer={<RetryButton onClick={retry} />} />;
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
