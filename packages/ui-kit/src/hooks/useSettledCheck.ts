import { useEffect, useState } from "react";
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
  const settled = useDebouncedValue(value, delayMs);
  const [found, setFound] = useState<{ value: string; text: string | null }>();

  useEffect(() => {
    let isStale = false;
    check(settled, context).then(
      (text) => {
        if (!isStale) setFound({ value: settled, text });
      },
      () => {},
    );
    return () => {
      isStale = true;
    };
  }, [settled, context, check]);

  return found?.value === value ? found.text : null;
}
