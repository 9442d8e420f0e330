import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactNode, useEffect, useState } from "react";

export interface OnDemandProps<Module> {
  /** Imports the code of the view. It must keep its identity between renders. */
  load: () => Promise<Module>;
  onClose: () => void;
  children: (module: Module) => ReactNode;
}

/**
 * Renders a view whose code is loaded when it is shown. If that fails, a dialog offers Retry; React.lazy would keep the
 * failure, and an error boundary would replace the page.
 */
export function OnDemand<Module>({ load, onClose, children }: OnDemandProps<Module>): ReactNode {
  const [module, setModule] = useState<Module | null>(null);
  const [attempt, setAttempt] = useState(1);
  const [failedAttempt, setFailedAttempt] = useState(0);

  useEffect(() => {
    let isGone = false;
    load().then(
      (loaded) => {
        if (!isGone) setModule(() => loaded);
      },
      () => {
        if (!isGone) setFailedAttempt(attempt);
      },
    );
    return () => {
      isGone = true;
    };
  }, [load, attempt]);

  if (module !== null) return children(module);
  if (failedAttempt !== attempt) return null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={GENERIC_ERROR}
      footer={
        <Button icon="retry" onClick={() => setAttempt(attempt + 1)}>
          Retry
        </Button>
      }
    />
  );
}
