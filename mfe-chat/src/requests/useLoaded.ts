import { errorText } from "@messageoh/contracts/errorText";
import { useEffect, useState } from "react";

/**
 * Loads what a view shows, and returns it with the text of a failure: `null` until then. The view can change the value.
 * @param load keeps its identity between renders
 */
export function useLoaded<Value>(load: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [changing, setChanging] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    let isCurrent = true;
    setError(null);
    load().then(
      (loaded) => isCurrent && setValue(() => loaded),
      (failure: unknown) => isCurrent && setError(errorText(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, attempt]);

  /** Loads again after a failure. */
  const retry = () => setAttempt(attempt + 1);

  /** Runs a change at the server unless another one runs. Resolves with whether it succeeded; a failure is shown. */
  async function change(which: string, work: () => Promise<unknown>): Promise<boolean> {
    if (changing !== null) return false;
    setChanging(which);
    setError(null);
    try {
      await work();
      return true;
    } catch (failure) {
      setError(errorText(failure));
      return false;
    } finally {
      setChanging(null);
    }
  }

  return { value, setValue, error, retry, changing, change };
}
