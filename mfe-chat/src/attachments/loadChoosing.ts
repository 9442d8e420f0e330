/** Loads the code that chooses files, which works without a network. */
export const loadChoosing = () => import("./choosing.ts");
