import {
  change,
  chooseInAccountMenu,
  click,
  enter,
  fail,
  fillLabelled,
  goOffline,
  hang,
  home,
  offers,
  openFromDevice,
  openSettings,
  press,
  respond,
  type Scene,
  type Step,
  search,
  shows,
  startAddingFriend,
} from "./steps.ts";
import { NOW } from "./world.ts";

const CALLS = /\/messageoh\/(friends|messages|threads)\//;
const MY_ACCOUNT = [openSettings("My account"), shows(/^Member since/)] as const;
const CHOOSING_ALBA = [home, startAddingFriend("al"), click("Alba"), offers("Confirm")] as const;
const CHANGE_AVATAR = [chooseInAccountMenu("Change avatar"), offers("Save")] as const;

const anotherReleaseIsLive = change<object>("**/mfe-chat/current.json", (live) => ({ ...live, release: "another" }));
const becomeVisible: Step = ({ page }) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** Gives the friends at the top of the list files that the user has sent. */
const filesAreStored: Step = ({ page }) =>
  page.route("**/messageoh/media/storage/*", async (route) => {
    const url = route.request().url().replace("media/storage", "threads");
    const list = (await (await page.request.get(url)).json()) as { thread_id: string }[];
    const threads = list
      .slice(0, 4)
      .map(({ thread_id }, index) => ({ thread_id, bytes: 480_000_000 / 4 ** index, files: 60 - 14 * index }));
    const names = ["heron takes off.mp4", `${"minutes of the rowing club ".repeat(5)}2026.docx`, "North shore.pdf"];
    const largest = names.map((name, index) => {
      const bytes = 88_000_000 / 5 ** index;
      const attachment = { id: `file-${index}`, kind: "file", name, bytes, type: "application/octet-stream" };
      return { thread_id: threads[index]?.thread_id, seq: index + 1, attachment, sent_at: "2026-05-13T12:00:00.000Z" };
    });
    await route.fulfill({ json: { threads, largest } });
  });

const someAreBlocked = respond(
  "**/messageoh/users/*/blocked",
  ["Rosalind", "Noor"].map((name) => ({ id: name, name, avatar_id: "fox-id" })),
);
const avatarIsRefused: Step = ({ page }) =>
  page.route("**/messageoh/users/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.fallback(),
  );

/** Lets the browser answer the question for the permission; its push service never responds. */
const permissionIs =
  (permission: NotificationPermission): Step =>
  ({ page }) =>
    page.addInitScript((answer) => {
      Object.assign(globalThis, { Notification: { permission: answer, requestPermission: async () => answer } });
      if ("PushManager" in globalThis) PushManager.prototype.subscribe = () => new Promise(() => undefined);
    }, permission);
/** On a phone, the thread fills the screen. */
const backToList: Step = async ({ page }) => {
  const back = page.getByRole("button", { name: "Back", exact: true });
  if (await back.isVisible()) await back.click();
};
const serviceWorkerIsActive: Step = ({ page }) => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();
const threeDevices = respond(
  "**/messageoh/sessions/*",
  ["Chrome on Linux", "Firefox on Windows", "Safari on iPhone"].map((device, index) => ({
    id: `session-${index}`,
    device,
    created_at: daysAgo(20 * index + 1),
    last_used_at: daysAgo(5 * index),
    is_current: index === 0,
  })),
);
/** Stars the newest message of each thread. */
const newestAreStarred: Step = async (stage) => {
  type Message = { timestamp: string };
  let listed: Message[] = [];
  type Thread = { last_seq: number; last_message: Message | null };
  await change<Thread[]>("**/messageoh/threads/*", (threads) => {
    listed = threads.flatMap(({ last_message }) => last_message ?? []);
    return threads.map((thread) => ({ ...thread, starred: [thread.last_seq] }));
  })(stage);
  await stage.page.route("**/messageoh/starred/*", (route) =>
    route.fulfill({ json: listed.toSorted((a, b) => b.timestamp.localeCompare(a.timestamp)) }),
  );
};
const STARRED = chooseInAccountMenu("Starred messages");
const SESSIONS = [openSettings("Sessions"), offers("Log out everywhere")] as const;
const HOME_OFFLINE = [home, goOffline, shows("You are offline.")] as const;

/** Scenes of the sidebar: friends, search, new friends and the account. */
export const LIST_SCENES: Record<string, Scene> = {
  "home-no-friends": [(stage) => stage.enter(stage.world.loner), shows("No friends here yet...")],
  home: [home],
  "home-keyboard": [home, ({ page }) => page.getByPlaceholder("Search").focus(), press("ArrowDown", "ArrowDown")],
  "home-skeleton": [hang(CALLS), enter, ({ page }) => page.getByPlaceholder("Search").waitFor()],
  "home-failed": [fail(CALLS), enter, offers("Retry")],
  "account-menu": [home, ({ person }) => person.openAccountMenu(), offers("Log out", "menuitem")],
  starred: [newestAreStarred, STARRED, offers("Unstar: The one with the heron")],
  "starred-none": [STARRED, shows("Star a message in its menu")],
  settings: [chooseInAccountMenu("Settings"), offers("Privacy")],
  "my-account": MY_ACCOUNT,
  "my-account-download": [...MY_ACCOUNT, hang("**/messageoh/**"), click("Download my data"), shows("0 %")],
  "my-account-name": [
    ...MY_ACCOUNT,
    click("Change name"),
    fillLabelled("New username", "Albus"),
    click("Save"),
    shows("This username is already taken"),
  ],
  "my-account-deletion": [
    ...MY_ACCOUNT,
    click("Delete account"),
    ({ page }) => page.getByLabel("Your password").waitFor(),
  ],
  search: [enter, search("an"), offers("Messages", "heading"), shows("You are an angel!")],
  "search-empty": [enter, search("marzipan"), shows("No result for 'marzipan'")],
  "search-failed": [fail(/\/messageoh\/messages\/.*search=/), enter, search("lu"), offers("Retry")],
  "add-friend": [home, startAddingFriend(""), offers("Rosalind")],
  "add-friend-empty": [home, startAddingFriend("Nobody"), shows("User called 'Nobody' doesn't exist")],
  "add-friend-failed": [fail(/\/messageoh\/users(\?|$)/), home, startAddingFriend("al"), offers("Retry")],
  "add-friend-confirm": CHOOSING_ALBA,
  "add-friend-error": [
    fail("**/messageoh/add_friend"),
    ...CHOOSING_ALBA,
    click("Confirm"),
    shows("Friend could not be added"),
  ],
  "share-link": [
    respond("**/messageoh/users/*/invite", { token: "rw3Bdm1U8bGxk5FZq0_TnA" }),
    chooseInAccountMenu("Share my link"),
    offers("QR code of your link", "img"),
  ],
  invited: [
    respond("**/messageoh/invites/*", { id: "alba", name: "Alba", avatar_id: "fox-id" }),
    (stage) => stage.enter(stage.world.me, "/home?invite=token"),
    offers("Confirm"),
  ],
  notifications: [
    permissionIs("granted"),
    home,
    serviceWorkerIsActive,
    openSettings("Notifications"),
    click("Notify me about new messages", "checkbox"),
    shows("Also when Messageoh is closed"),
  ],
  "notifications-off": [permissionIs("default"), openSettings("Notifications"), shows(/^For this browser/)],
  "notifications-blocked": [permissionIs("denied"), openSettings("Notifications"), shows(/^Your browser blocks/)],
  "notifications-offer": [
    permissionIs("default"),
    (stage) => stage.enterThread("Theo"),
    ({ person }) => person.send("See you at eight."),
    backToList,
    shows("Do you want a notification when somebody writes to you?"),
  ],
  "home-offline": HOME_OFFLINE,
  "home-from-device": [openFromDevice, shows("This is what is stored on this device.")],
  "home-new-version": [anotherReleaseIsLive, home, becomeVisible, shows("A new version is ready")],
  "home-degraded": [
    fail("**/socket.io/**"),
    ({ page }) => page.routeWebSocket(/\/socket\.io\//, (socket) => socket.close()),
    home,
    shows("Messages may arrive late at the moment."),
  ],
  "search-offline": [...HOME_OFFLINE, search("an"), shows("Messages will be searched")],
  shortcuts: [home, press("?"), offers("Keyboard shortcuts", "dialog")],
  sessions: SESSIONS,
  "sessions-others": [threeDevices, ...SESSIONS, offers("Log out all others")],
  "sessions-everywhere": [threeDevices, ...SESSIONS, click("Log out everywhere"), shows("Log out on all devices")],
  privacy: [someAreBlocked, openSettings("Privacy"), offers("Unblock Noor")],
  storage: [filesAreStored, openSettings("Storage"), offers("Delete heron takes off.mp4")],
  "storage-none": [openSettings("Storage"), shows("You have not sent any files.")],
  "change-password": [
    openSettings("Change password"),
    fillLabelled("New password", "short"),
    click("Save"),
    shows("Password needs at least 8 characters"),
  ],
  "change-avatar": CHANGE_AVATAR,
  "change-avatar-error": [
    avatarIsRefused,
    ...CHANGE_AVATAR,
    click("Koala", "radio"),
    click("Save"),
    shows("Something went wrong with your request"),
  ],
};
