export const loadViews = () => import("./views.ts");
