export const loadTray = () => import("./Tray.tsx");
