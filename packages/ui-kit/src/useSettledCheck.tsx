import { useEffect, useState } from "react";
import { useDebouncedValue } from "./useDebouncedValue.tsx";

/**
 * Returns what a check says of a text once typing stops for `delayMs`; `null` while it is edited and when the check fails.
 * @param check must stay the same function; takes the text and what else it depends on
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
