import { useDebouncedValue } from "@messageoh/ui-kit/hooks/useDebouncedValue";

const SEARCH_DEBOUNCE_MS = 300;

/** Returns the trimmed text to search for, once typing stops for 300 ms. */
export function useDebouncedSearch(text: string): string {
  return useDebouncedValue(text, SEARCH_DEBOUNCE_MS).trim();
}
