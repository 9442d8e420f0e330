/** The drawing of an icon. */
export interface IconShape {
  /** SVG path data, in a square of 24. */
  path: string;
  /** It points in the direction of reading. */
  isDirected?: true;
}

export const addFriend: IconShape = {
  path: "M10 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20.5c.4-3.8 3.2-6 7-6 1.6 0 3 .4 4.1 1.1M18 14.5v6M15 17.5h6",
};
export const alert: IconShape = {
  path: "M12 8v5M12 16.5v.1M10.3 4.2 2.9 17.3a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z",
};
export const arrowDown: IconShape = { path: "M12 4.5v15M5.5 13l6.5 6.5 6.5-6.5" };
export const arrowUp: IconShape = { path: "M12 19.5v-15M5.5 11 12 4.5l6.5 6.5" };
export const attach: IconShape = {
  path: "M19.5 11.5l-7.7 7.7a5 5 0 0 1-7.1-7.1l8.3-8.3a3.3 3.3 0 0 1 4.7 4.7L9.6 16.7A1.7 1.7 0 0 1 7.3 14.3l7.2-7.2",
};
export const back: IconShape = { path: "M19.5 12h-15M11 5.5 4.5 12l6.5 6.5", isDirected: true };
export const bell: IconShape = {
  path: "M12 3.5A6 6 0 0 0 6 9.5v3.5l-1.5 3h15L18 13V9.5a6 6 0 0 0-6-6ZM10 19a2 2 0 0 0 4 0",
};
export const bellOff: IconShape = {
  path: "M6 6.9A6 6 0 0 0 6 9v4l-1.5 3H16M8.6 4A6 6 0 0 1 18 9v4l.6 1.2M10 19a2 2 0 0 0 4 0M4 4l16 16",
};
export const block: IconShape = { path: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM6 6l12 12" };
export const calendar: IconShape = { path: "M4 6h16v14.5H4V6ZM4 10.5h16M8.5 3.5V8M15.5 3.5V8" };
export const check: IconShape = { path: "M4.5 12.5 9.5 17.5 19.5 7" };
export const clock: IconShape = { path: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.5V12l3 2" };
export const close: IconShape = { path: "M6 6l12 12M18 6 6 18" };
export const copy: IconShape = { path: "M9 9h11.5v11.5H9V9ZM15 9V3.5H3.5V15H9" };
export const devices: IconShape = { path: "M3 5.5h13.5V9M3 5.5v9.5h9.5M8 19h4.5M15.5 11.5h6v9h-6v-9Z" };
export const doubleCheck: IconShape = { path: "M1.5 12.5 6.5 17.5 15.5 7M11.5 16.5l1 1L22.5 7" };
export const download: IconShape = { path: "M12 4v11.5M6.5 10.5 12 16l5.5-5.5M4.5 20h15" };
export const edit: IconShape = { path: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19 4 20ZM14 6.5l3.5 3.5" };
export const eye: IconShape = {
  path: "M2.5 12C4.5 8 8 5.5 12 5.5S19.5 8 21.5 12c-2 4-5.5 6.5-9.5 6.5S4.5 16 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
};
export const eyeOff: IconShape = {
  path: "M9.5 5.8c.8-.2 1.6-.3 2.5-.3 4 0 7.5 2.5 9.5 6.5-.7 1.3-1.5 2.5-2.5 3.5M15.5 17.7c-1.1.5-2.3.8-3.5.8-4 0-7.5-2.5-9.5-6.5.9-1.7 2-3.2 3.5-4.3M4 4l16 16M10 10a3 3 0 0 0 4 4",
};
export const file: IconShape = { path: "M6 3.5h8l4.5 4.5v12.5H6v-17ZM14 3.5V8h4.5" };
export const forward: IconShape = { path: "M4.5 12h15M13 5.5l6.5 6.5-6.5 6.5", isDirected: true };
export const forwardMessage: IconShape = {
  path: "M14.5 6 20 11.5l-5.5 5.5M19.5 11.5h-9a6 6 0 0 0-6 6v1.5",
  isDirected: true,
};
export const keyboard: IconShape = {
  path: "M2.5 6h19v12.5h-19V6ZM6.5 10v.1M10.2 10v.1M13.8 10v.1M17.5 10v.1M8.5 14.5h7",
};
export const link: IconShape = {
  path: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1-1",
};
export const lock: IconShape = { path: "M5.5 10.5h13v10h-13v-10ZM8.5 10.5v-3a3.5 3.5 0 0 1 7 0v3M12 14.5v2" };
export const logOut: IconShape = {
  path: "M14 4.5H7a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h7M10.5 12h10M16.5 7.5 21 12l-4.5 4.5",
  isDirected: true,
};
export const microphone: IconShape = {
  path: "M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v2.5",
};
export const minus: IconShape = { path: "M5 12h14" };
export const moon: IconShape = { path: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" };
export const more: IconShape = {
  path: "M5 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1ZM12 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1ZM19 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1Z",
};
export const pause: IconShape = { path: "M8.5 5v14M15.5 5v14" };
export const picture: IconShape = { path: "M3.5 5h17v14h-17V5ZM3.5 16l5-5 4 4 3-3 5 5M15.5 9.5v.1" };
export const pin: IconShape = { path: "M8.5 3.5h7l-1 6.5 3.5 4H6l3.5-4-1-6.5ZM12 14v6.5" };
export const play: IconShape = { path: "M7.5 4.5v15l12-7.5-12-7.5Z" };
export const plus: IconShape = { path: "M12 5v14M5 12h14" };
export const removeFriend: IconShape = {
  path: "M10 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20.5c.4-3.8 3.2-6 7-6 1.6 0 3 .4 4.1 1.1M15 17.5h6",
};
export const reply: IconShape = { path: "M9.5 6 4 11.5l5.5 5.5M4.5 11.5h9a6 6 0 0 1 6 6v1.5", isDirected: true };
export const retry: IconShape = { path: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5" };
export const search: IconShape = { path: "M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM15.7 15.7l4.8 4.8" };
export const send: IconShape = {
  path: "M20.5 3.5 3.5 10.3l6.7 3.5 3.5 6.7 6.8-17ZM10.2 13.8l4.3-4.3",
  isDirected: true,
};
export const settings: IconShape = {
  path: "M4 7h9M19 7h1M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM4 17h1M11 17h9M8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
};
export const shield: IconShape = { path: "M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6l-7-2.5Z" };
export const smile: IconShape = {
  path: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM8 14c1 1.6 2.4 2.5 4 2.5s3-.9 4-2.5M9 9.5v.1M15 9.5v.1",
};
export const star: IconShape = {
  path: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.8-5.3 2.8 1.1-5.9L3.5 9.7l5.9-.8L12 3.5Z",
};
export const sun: IconShape = {
  path: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
};
export const trash: IconShape = { path: "M4.5 6.5h15M9 6.5v-3h6v3M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6" };
export const user: IconShape = { path: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.5-3.9 3.5-6 7.5-6s7 2.1 7.5 6" };
