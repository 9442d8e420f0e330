import { errorText } from "@messageoh/contracts/errorText";
import { useEffect, useState } from "react";

/**
 * Loads what a view shows, and returns it with the text of a failure: `null` until then. The view can change both.
 * @param load keeps its identity between renders
 */
export function useLoaded<Value>(load: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

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
  return { value, setValue, error, setError, retry };
}
