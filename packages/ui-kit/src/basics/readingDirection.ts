/** Returns the direction of reading along the x axis. */
export const readingDirection = (): 1 | -1 => (document.documentElement.dir === "rtl" ? -1 : 1);
