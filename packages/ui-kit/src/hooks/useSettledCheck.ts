import { useEffect, useMemo, useState } from "react";
import { useDebouncedValue } from "./useDebouncedValue.ts";

/**
 * Returns the result of a check after `delayMs` milliseconds without input; `null` while the value changes and when the
 * check fails.
 * @param context second argument of `check`; a change runs the check again
 * @param check must keep its identity between renders
 */
export function useSettledCheck(
  value: string,
  context: string,
  delayMs: number,
  check: (value: string, context: string) => Promise<string | null>,
): string | null {
  // A value that comes back is a new input, which restarts the delay.
  const input = useMemo(() => ({ value }), [value]);
  const settled = useDebouncedValue(input, delayMs);
  const [found, setFound] = useState<{ input: typeof input; text: string | null }>();

  useEffect(() => {
    let isStale = false;
    check(settled.value, context).then(
      (text) => {
        if (!isStale) setFound({ input: settled, text });
      },
      () => {},
    );
    return () => {
      isStale = true;
    };
  }, [settled, context, check]);

  return found?.input === input ? found.text : null;
}
