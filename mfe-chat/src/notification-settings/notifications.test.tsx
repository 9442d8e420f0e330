import { act, cleanup, getConfig, screen, waitFor, within } from "@testing-library/react";
import { aMessage, BOB } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

startChatServer();

/** A browser whose answer to the question for the permission is known. Records the notifications. */
function aBrowser(permission: NotificationPermission, answer: NotificationPermission = "granted") {
  const asked: string[] = [];
  const notifications: { title: string; options: NotificationOptions; notification: FakeNotification }[] = [];
  class FakeNotification {
    static permission = permission;
    static async requestPermission() {
      asked.push("asked");
      FakeNotification.permission = answer;
      return answer;
    }
    onclick?: () => void;
    onclose?: () => void;
    isClosed = false;
    constructor(title: string, options: NotificationOptions) {
      notifications.push({ title, options, notification: this });
    }
    close() {
      this.isClosed = true;
      this.onclose?.();
    }
  }
  Object.defineProperty(globalThis, "Notification", { configurable: true, value: FakeNotification });
  return { asked, notifications };
}
const KEY = "messageoh:notifications:me";
const stored = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");
const setHidden = (isHidden: boolean) =>
  act(async () => {
    jest.spyOn(document, "visibilityState", "get").mockReturnValue(isHidden ? "hidden" : "visible");
    document.dispatchEvent(new Event("visibilitychange"));
  });

beforeEach(() => localStorage.clear());
afterEach(() => {
  Reflect.deleteProperty(globalThis, "Notification");
  jest.restoreAllMocks();
});

async function sending(text = "Hello") {
  const chat = renderChat({ path: "/home/bob", lastSeq: 3 });
  await chat.connect();
  const composer = await screen.findByPlaceholderText("Message...");
  const send = async () => {
    await chat.user.type(composer, `${text}{Enter}`);
  };
  return { ...chat, send };
}
const offer = () => screen.findByRole("region", { name: "Notifications" });
const noOffer = () => expect(screen.queryByRole("region", { name: "Notifications" })).toBeNull();

describe("the offer of notifications", () => {
  it("is shown after the first message that the user sends, and asks the browser on a click only", async () => {
    const browser = aBrowser("default");
    const { user, send } = await sending();
    noOffer();
    await send();
    const shown = within(await offer());
    expect(browser.asked).toEqual([]);
    await user.click(shown.getByRole("button", { name: "Turn on" }));
    await waitFor(noOffer);
    expect(browser.asked).toEqual(["asked"]);
    expect(stored()).toMatchObject({ isOn: true, wasOffered: true });
  });

  it("is a card in the list of friends, which a search replaces", async () => {
    aBrowser("default");
    const { user, send } = await sending();
    await send();
    const list = screen.getByRole("navigation", { name: "Friends" });
    expect((await offer()).nextElementSibling).toBe(list);
    await user.type(screen.getByPlaceholderText("Search"), "Bob");
    await waitFor(noOffer);
  });

  it("is shown once, whatever the answer", async () => {
    const browser = aBrowser("default");
    const { user, send } = await sending();
    await send();
    await user.click(within(await offer()).getByRole("button", { name: "Not now" }));
    await waitFor(noOffer);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: /^Bob/ })));
    await send();
    noOffer();
    expect(browser.asked).toEqual([]);
    expect(stored()).toMatchObject({ isOn: false, wasOffered: true });
  });

  it("is shown again after a reload until it is answered, and in no other tab afterwards", async () => {
    aBrowser("default");
    const before = await sending();
    await before.send();
    await offer();
    cleanup();
    const { send, changeStorage } = await sending();
    await send();
    await offer();
    localStorage.setItem(KEY, JSON.stringify({ wasOffered: true }));
    await changeStorage(KEY);
    await waitFor(noOffer);
  });

  it("waits until the server is reached again", async () => {
    aBrowser("default");
    const { send, setOnline } = await sending();
    await send();
    await offer();
    await setOnline(false);
    noOffer();
    await setOnline(true);
    await offer();
  });

  it("explains how to allow notifications after the browser refused them", async () => {
    aBrowser("default", "denied");
    const { user, send } = await sending();
    await send();
    await user.click(within(await offer()).getByRole("button", { name: "Turn on" }));
    expect(await screen.findByText(/To allow them again, open the site settings/)).toBeTruthy();
    await user.click(within(await offer()).getByRole("button", { name: "OK" }));
    await waitFor(noOffer);
    expect(stored()).toMatchObject({ isOn: false });
  });

  it.each([["denied"], ["unsupported"]] as const)("is not shown if notifications are %s", async (permission) => {
    if (permission === "denied") aBrowser(permission);
    const { send, payloads } = await sending();
    await send();
    await waitFor(() => expect(payloads("send_message")).toHaveLength(1));
    expect(stored()).toEqual({});
    noOffer();
  });
});

describe("the dialog about notifications", () => {
  async function opened() {
    const chat = renderChat();
    await screen.findByRole("navigation", { name: "Friends" });
    await chat.user.click(screen.getByRole("button", { name: "Your avatar and account menu" }));
    await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
    await chat.user.click(screen.getByRole("button", { name: "Notifications" }));
    return { ...chat, dialog: within(await screen.findByRole("dialog", { name: "Notifications" })) };
  }

  it("turns notifications on, and their text and sound only if the user chooses them", async () => {
    const browser = aBrowser("default");
    const { user, dialog } = await opened();
    expect(browser.asked).toEqual([]);
    expect(dialog.queryByRole("checkbox", { name: "Play a quiet sound" })).toBeNull();
    await user.click(dialog.getByRole("checkbox", { name: "Notify me about new messages" }));
    const text = await dialog.findByRole("checkbox", { name: "Show the text of the message" });
    expect(stored()).toMatchObject({ isOn: true, showsText: false, hasSound: false });
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "Play a quiet sound" }).checked).toBe(false);
    await user.click(text);
    expect(stored()).toMatchObject({ isOn: true, showsText: true });
    // Without a service worker there is nothing to receive push notifications.
    expect(dialog.queryByRole("checkbox", { name: "Also when Messageoh is closed" })).toBeNull();
    await user.click(dialog.getByRole("checkbox", { name: "Notify me about new messages" }));
    await waitFor(() => expect(stored()).toMatchObject({ isOn: false }));
  });

  it.each([
    ["denied", /Your browser blocks notifications of this site/],
    ["unsupported", /This browser does not show notifications/],
  ] as const)("says what to do if notifications are %s", async (permission, text) => {
    if (permission === "denied") aBrowser(permission);
    const { dialog } = await opened();
    expect(dialog.getByText(text)).toBeTruthy();
    expect(dialog.queryByRole("checkbox")).toBeNull();
  });
});

it("shows a notification while the tab is hidden; a click opens the thread", async () => {
  const browser = aBrowser("granted");
  localStorage.setItem(KEY, JSON.stringify({ isOn: true, showsText: true, wasOffered: true }));
  const focus = jest.spyOn(window, "focus").mockImplementation(() => undefined);
  // Loaded before the chat, which loads it on demand.
  await import("../notifications/notifier.ts");
  const { receive, shell } = renderChat({ isVisible: () => document.visibilityState === "visible" });
  await screen.findByRole("navigation", { name: "Friends" });
  await setHidden(true);
  await receive((handlers) => handlers.receive_message(aMessage({ seq: 4, text: "Hello" })));
  await waitFor(() => expect(browser.notifications).toHaveLength(1));
  const [{ title, options, notification }] = browser.notifications as [(typeof browser.notifications)[0]];
  expect([title, options.body]).toEqual([BOB.name, "Hello"]);
  // Without `act`, as user-event does it: the focus of the composer would end the scope of `act` too early.
  await getConfig().asyncWrapper(async () => notification.onclick?.());
  await screen.findByPlaceholderText("Message...");
  expect(focus).toHaveBeenCalled();
  expect(shell.path).toBe("/home/bob");
  expect(notification.isClosed).toBe(true);
});

it("closes the settings on a click on the notification of the thread below them", async () => {
  const browser = aBrowser("granted");
  localStorage.setItem(KEY, JSON.stringify({ isOn: true, showsText: true, wasOffered: true }));
  jest.spyOn(window, "focus").mockImplementation(() => undefined);
  await import("../notifications/notifier.ts");
  await setHidden(true);
  const { receive, user, shell } = renderChat({ path: "/home/bob", isVisible: () => false });
  await screen.findByRole("log");
  await user.click(screen.getByRole("button", { name: "Your avatar and account menu" }));
  await user.click(screen.getByRole("menuitem", { name: "Settings" }));
  expect(await screen.findByRole("dialog", { name: "Settings" })).toBeTruthy();
  await receive((handlers) => handlers.receive_message(aMessage({ seq: 4, text: "Hello" })));
  await waitFor(() => expect(browser.notifications).toHaveLength(1));
  await getConfig().asyncWrapper(async () => browser.notifications[0]?.notification.onclick?.());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(shell.path).toBe("/home/bob");
});
