import { errorText } from "@messageoh/contracts/errorText";
import { useState } from "react";

export type Submit = ReturnType<typeof useSubmit>;

/**
 * Returns the state of a form or confirmation that is submitted, and a function that submits it. `submit` resolves with
 * whether the work succeeded; a success stays busy, because the view closes then.
 * @param textOf returns the text to show for a failure
 */
export function useSubmit(textOf: (failure: unknown) => string = (failure) => errorText(failure)) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(work: () => Promise<unknown>): Promise<boolean> {
    setIsBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (failure) {
      setError(textOf(failure));
      setIsBusy(false);
      return false;
    }
  }

  return { isBusy, error, setError, submit };
}
