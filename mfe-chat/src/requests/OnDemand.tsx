import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import type { ReactNode } from "react";
import { RetryButton } from "./RetryButton.tsx";
import { useLoaded } from "./useLoaded.ts";

export interface OnDemandProps<Module> {
  /** Imports the code of the view. It must keep its identity between renders. */
  load: () => Promise<Module>;
  /** Called when the user closes the error. Without it, nothing is shown for a failure, because nobody waits. */
  onClose?: () => void;
  children: (module: Module) => ReactNode;
}

/**
 * Renders a view whose code is loaded when it is shown. If that fails, a dialog offers Retry; React.lazy would keep the
 * failure, and an error boundary would replace the page.
 */
export function OnDemand<Module>({ load, onClose, children }: OnDemandProps<Module>): ReactNode {
  const { value: module, error, retry } = useLoaded(load);
  if (module !== null) return children(module);
  if (error === null || !onClose) return null;
  return <Dialog onClose={onClose} title={GENERIC_ERROR} footer={<RetryButton onClick={retry} />} />;
}
