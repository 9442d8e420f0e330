import { errorText } from "@messageoh/contracts/errorText";
import { useEffect, useRef, useState } from "react";

export type Submit = ReturnType<typeof useSubmit>;

/**
 * Returns the state of a form or confirmation that is submitted, and a function that submits it. `submit` resolves with
 * whether the work succeeded and the view is still there: the user may have closed it meanwhile. A success stays busy,
 * because the view closes then.
 * @param textOf returns the text to show for a failure
 */
export function useSubmit(textOf: (failure: unknown) => string = (failure) => errorText(failure)) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isGone = useRef(false);

  useEffect(() => {
    // In the strict mode React ends an effect once and begins it again.
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  async function submit(work: () => Promise<unknown>): Promise<boolean> {
    setIsBusy(true);
    setError(null);
    try {
      await work();
      return !isGone.current;
    } catch (failure) {
      if (isGone.current) return false;
      setError(textOf(failure));
      setIsBusy(false);
      return false;
    }
  }

  return { isBusy, error, setError, submit };
}
