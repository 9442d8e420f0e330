import { isStored } from "../support/offline.ts";
import { fetchTimed, type Stage } from "./stage.ts";

/** Brings a page closer to the state of a picture. */
export type Step = (stage: Stage) => Promise<unknown>;
/** The steps that bring a new page into the state of a picture. */
export type Scene = readonly Step[];

const NEWEST = "The one with the heron is my favourite.";

export const visit =
  (path: string): Step =>
  (stage) =>
    stage.visit(path);
/** Opens /home as the shown user, without waiting for it. */
export const enter: Step = (stage) => stage.enter(stage.world.me);
export const home: Step = async (stage) => {
  await enter(stage);
  await stage.person.entry(stage.friend("Albus")).waitFor();
};
/** Opens the thread with a friend. */
export const openThread =
  (friend: string): Step =>
  (stage) =>
    stage.enterThread(friend);
export const openAlbus = openThread("Albus");
/** Opens the thread with a friend and waits until it shows a message. */
export const thread =
  (friend: string, text: string): Step =>
  async (stage) => {
    await stage.enterThread(friend);
    await stage.person.sees(text);
  };
export const threadWithAlbus = thread("Albus", NEWEST);
export const chooseInAccountMenu =
  (item: string): Step =>
  async (stage) => {
    await home(stage);
    await stage.person.openAccountMenu();
    await click(item, "menuitem")(stage);
  };
export const openSettings =
  (part: string): Step =>
  async (stage) => {
    await home(stage);
    await stage.person.openSettings(part);
  };
/** Opens /home while the server does not respond, after the device has stored the threads. */
export const openFromDevice: Step = async (stage) => {
  const { me } = stage.world;
  await home(stage);
  await isStored(stage.page, stage.threadId("Albus"), NEWEST);
  await fail(/\/messageoh\/|\/socket\.io\//)(stage);
  await stage.page.routeWebSocket(/\/socket\.io\//, (socket) => socket.close());
  const user = { id: me.id, name: me.name, avatar_id: "fox-id" };
  await stage.enter(me, "/home", { "messageoh:user": JSON.stringify(user) });
};
export const search =
  (text: string): Step =>
  ({ person }) =>
    person.search(text);
export const startAddingFriend =
  (text: string): Step =>
  ({ person }) =>
    person.startAddingFriend(text);

export const click =
  (name: string | RegExp, role: "button" | "menuitem" | "radio" | "checkbox" | "tab" = "button"): Step =>
  ({ page }) =>
    page.getByRole(role, { name }).click();
/** Fills the field with this placeholder. */
export const fill =
  (placeholder: string, text: string): Step =>
  ({ page }) =>
    page.getByPlaceholder(placeholder).fill(text);
/** Fills the field with this label. */
export const fillLabelled =
  (label: string, text: string): Step =>
  ({ page }) =>
    page.getByLabel(label).fill(text);
export const press =
  (...keys: string[]): Step =>
  async ({ page }) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Waits for a text. */
export const shows =
  (text: string | RegExp): Step =>
  ({ page }) =>
    page.getByText(text).waitFor();
/** Waits for a button, or for another role. */
export const offers =
  (name: string | RegExp, role: "button" | "menuitem" | "heading" | "dialog" | "img" | "link" = "button"): Step =>
  ({ page }) =>
    page.getByRole(role, { name }).first().waitFor();
export const goOffline: Step = ({ page }) => page.context().setOffline(true);
export const showsAlert: Step = ({ page }) => page.getByRole("alert").getByText(/./).waitFor();
export const highlights: Step = ({ page }) => page.locator("[data-highlighted]").waitFor();

/** Leaves calls to this URL without a response. */
export const hang =
  (url: string | RegExp): Step =>
  ({ page }) =>
    page.route(url, () => new Promise(() => {}));
/** Responds to calls to this URL. */
export const respond =
  (url: string | RegExp, json: object, status = 200): Step =>
  ({ page }) =>
    page.route(url, (route) => route.fulfill({ status, json }));
/** Changes the responses to calls to this URL. */
export const change =
  <Json>(url: string | RegExp, changed: (json: Json) => unknown): Step =>
  ({ page, world }) =>
    page.route(url, async (route) => {
      const { response, json } = await fetchTimed<Json>(route, world);
      await route.fulfill({ response, json: changed(json) });
    });
/** The calls for the messages of a thread. */
export const THREAD_MESSAGES = /\/messageoh\/messages\/[^/]+\?.*thread_id/;
/** Responds with 401 to calls to this URL. */
export const refuse = (url: string | RegExp): Step => respond(url, { error: "Please log in" }, 401);
/** Aborts calls to this URL. */
export const fail =
  (url: string | RegExp): Step =>
  ({ page }) =>
    page.route(url, (route) => route.abort());
