export const loadSelectionBar = () => import("./SelectionBar.tsx");
