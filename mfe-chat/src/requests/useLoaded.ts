import { errorText } from "@messageoh/contracts/errorText";
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

export interface Loaded<Value> {
  /** `null` until it is loaded. */
  value: Value | null;
  setValue: Dispatch<SetStateAction<Value | null>>;
  error: string | null;
  setError: Dispatch<SetStateAction<string | null>>;
  /** Loads again after a failure. */
  retry: () => void;
}

/**
 * Loads what a view shows, and returns it with the text of a failure. The view can change both.
 * @param load keeps its identity between renders
 */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
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

  return { value, setValue, error, setError, retry: () => setAttempt(attempt + 1) };
}
