/** Loads the code that chooses files, which works without a network. */
export const loadChooseFiles = () => import("./chooseFiles.ts");
