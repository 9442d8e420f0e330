/** A search begins when typing has rested for this long. */
export const SEARCH_PAUSE_MS = 300;
