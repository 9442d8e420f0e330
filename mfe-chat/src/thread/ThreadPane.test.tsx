import { listMessages, updateMessageRead } from "@messageoh/contracts/messages";
import { received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { aMessage, fromCleo, fromMe } from "../../testing/builders.ts";
import { fakeTime, renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
});
afterEach(() => {
  setDesktop(true);
  localStorage.clear();
});

const log = () => screen.findByRole("log", { name: "Messages with Bob" });
const message = async (text: string) => {
  const bubble = (await within(await log()).findByText(text)).closest("article");
  if (!bubble) throw new Error(`No message ${text}`);
  return bubble;
};
const textsIn = (element: HTMLElement) =>
  [...element.querySelectorAll("h3, [dir=auto]")].map((line) => line.textContent);

describe("thread pane", () => {
  it("shows the friend's avatar and name above the messages", async () => {
    renderChat({ path: "/home/bob" });
    const header = (await screen.findByRole("heading", { name: "Bob" })).closest("header");
    expect(header?.querySelector("img")?.getAttribute("src")).toBe("avatars.svg#cat-id");
    expect(await message("Gladly")).toBeTruthy();
  });

  it("shows both lines and a sad jellyfish without messages, until one is sent", async () => {
    // An empty message is not shown.
    data.messages.push(fromCleo({ seq: 1, text: "" }));
    const { user } = renderChat({ path: "/home/cleo", lastSeq: 1 });
    expect(await screen.findByText("No messages here yet...")).toBeTruthy();
    expect(screen.getByText("Don't be shy, send a message!")).toBeTruthy();
    expect(screen.getByRole("img", { name: /sad jellyfish/i }).getAttribute("src")).toBe("sad-jellyfish.svg");
    await user.type(screen.getByLabelText("Message..."), "Hello{Enter}");
    expect(await within(await screen.findByRole("log")).findByText("Hello")).toBeTruthy();
    expect(screen.queryByText("No messages here yet...")).toBeNull();
  });

  it("shows messages oldest first, and who sent them", async () => {
    data.messages = ["one", "two", "three"].map((text, index) => aMessage({ seq: index + 1, text }));
    data.messages.push(fromMe({ seq: 4, text: "four" }));
    Object.assign(data.threads[0] ?? {}, { last_seq: 4, read_seq: 4, unread_count: 0 });
    renderChat({ path: "/home/bob" });
    await message("four");
    const articles = within(await log()).getAllByRole("article");
    expect(articles.map((article) => article.querySelector("[dir=auto]")?.textContent)).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    expect(articles.map((article) => article.getAttribute("aria-label"))).toEqual(["Bob", "Bob", "Bob", "You"]);
  });

  it("shows where the unread messages begin, how many they are, and since when", async () => {
    renderChat({ path: "/home/bob" });
    await message("Gladly");
    expect(within(await log()).getByText("1 new message since Fri Jan 5, 2024")).toBeTruthy();
  });

  it("shows skeletons while the first page loads, and a failure with Retry", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { user } = renderChat();
    const link = await screen.findByRole("link", { name: /^Bob/ });
    const { promise, resolve } = Promise.withResolvers<void>();
    const failLater = async () => {
      await promise;
      throw HttpResponse.json({ error: "broken" }, { status: 500 });
    };
    server.use(respond(listMessages, failLater));
    await user.click(link);
    const thread = await screen.findByRole("region", { name: "Thread with Bob" });
    const skeleton = () => thread.querySelector(".skeleton .bubble");
    expect(skeleton()).not.toBeNull();
    resolve();
    expect((await within(thread).findByRole("alert")).textContent).toContain("Something went wrong with your request");
    expect(skeleton()).toBeNull();
    server.resetHandlers();
    const cover = screen.getByRole("dialog", { name: "Something went wrong with your request" });
    await user.click(within(cover).getByRole("button", { name: "Retry" }));
    expect(await message("Gladly")).toBeTruthy();
  });

  it("moves the focus into the composer when Retry loads the first page", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { user } = renderChat();
    const link = await screen.findByRole("link", { name: /^Bob/ });
    server.use(refuse(listMessages, 500, "broken"));
    await user.click(link);
    await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    await user.click(screen.getByRole("button", { name: "Close" }));
    (await screen.findByRole("button", { name: "Retry" })).focus();
    server.resetHandlers();
    await user.keyboard("{Enter}");
    expect(await message("Gladly")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
  });

  it("does not bring back a failure that the user has closed when another attempt fails", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { user, connect } = renderChat();
    const link = await screen.findByRole("link", { name: /^Bob/ });
    server.use(refuse(listMessages, 500, "broken"));
    await user.click(link);
    const cover = () => screen.queryByRole("dialog", { name: "Something went wrong with your request" });
    const attempts = () => received.filter(({ query }) => query.thread_id).length;
    await waitFor(() => expect(cover()).not.toBeNull());
    await user.click(screen.getByRole("button", { name: "Close" }));
    const before = attempts();
    await connect();
    await waitFor(() => expect(attempts()).toBeGreaterThan(before));
    const retry = await screen.findByRole("button", { name: "Retry" });
    expect(cover()).toBeNull();
    await user.click(retry);
    await waitFor(() => expect(cover()).not.toBeNull());
  });

  it("shows the send state of an own message", async () => {
    const { user, connect, receive } = renderChat({ path: "/home/bob", lastSeq: 3 });
    await message("Gladly");
    await user.type(screen.getByLabelText("Message..."), "Hello{Enter}");
    const sent = await message("Hello");
    expect(within(sent).getByRole("img").getAttribute("aria-label")).toBe("Sending");
    await connect();
    await waitFor(() => expect(within(sent).getByRole("img").getAttribute("aria-label")).toBe("Sent"));
    const seq = 4;
    await receive((handlers) => handlers.message_delivered({ thread_id: "with-bob", user_id: "bob", seq }));
    expect(
      within(await message("Hello"))
        .getByRole("img")
        .getAttribute("aria-label"),
    ).toBe("Delivered");
    await receive((handlers) => handlers.message_read({ thread_id: "with-bob", user_id: "bob", seq }));
    expect(
      within(await message("Hello"))
        .getByRole("img")
        .getAttribute("aria-label"),
    ).toBe("Read");
  });

  it("shows that the friend is typing", async () => {
    const { receive } = renderChat({ path: "/home/bob" });
    await message("Gladly");
    await receive((handlers) => handlers.typing({ thread_id: "with-bob", user_id: "bob", is_typing: true }));
    expect((await screen.findByText(/is typing/)).textContent).toBe("Bob is typing...");
  });

  it("shows when an offline friend was last online, and nothing while it is unknown", async () => {
    const { receive } = renderChat({ path: "/home/bob" });
    await message("Gladly");
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    expect(screen.queryByText(/^Last seen/)).toBeNull();
    await receive((handlers) => handlers.presence({ user_id: "bob", is_online: false, last_seen_at: at(5) }));
    expect(await screen.findByText("Last seen 5 minutes ago")).toBeTruthy();
    await receive((handlers) => handlers.presence({ user_id: "bob", is_online: true }));
    expect(screen.queryByText(/^Last seen/)).toBeNull();
    await receive((handlers) => handlers.presence({ user_id: "bob", is_online: false, last_seen_at: at(0) }));
    expect(await screen.findByText("Last seen just now")).toBeTruthy();
  });

  it("shows text as text, and only web and mail addresses as links", async () => {
    const texts = [
      "<b>bold</b> & <i>italic</i> &lt;escaped&gt;",
      "javascript:alert(1) link",
      "https://example.com/?a=1",
    ];
    data.messages = texts.map((text, index) => aMessage({ seq: index + 1, text }));
    renderChat({ path: "/home/bob" });
    await waitFor(async () => expect(textsIn(await log()).slice(-3)).toEqual(texts));
    const links = within(await log()).getAllByRole<HTMLAnchorElement>("link");
    expect(links.map(({ href, rel, target }) => [href, rel, target])).toEqual([
      ["https://example.com/?a=1", "noopener noreferrer", "_blank"],
    ]);
  });

  it("marks the thread as read on the server, and shows it as read if that fails", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server.use(refuse(updateMessageRead, 500, "broken"));
    const { user } = renderChat();
    const bob = await screen.findByRole("link", { name: /^Bob/ });
    expect(bob.textContent).toContain("1 unread message");
    await user.click(bob);
    await message("Gladly");
    await waitFor(() => expect(warn).toHaveBeenCalledWith("A thread could not be marked as read", expect.anything()));
    expect(received.find(({ path }) => path === "/update_message_read")).toMatchObject({
      method: "PUT",
      body: { thread_id: "with-bob", seq: 3 },
    });
    expect(screen.getByRole("link", { name: /^Bob/ }).textContent).not.toContain("unread");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("returns to the list on Esc on a narrow screen", async () => {
    setDesktop(false);
    const { user, shell } = renderChat({ path: "/home/bob" });
    await user.click(await screen.findByLabelText("Message..."));
    await user.keyboard("{Escape}");
    expect(shell.path).toBe("/home");
  });
});

const NOON = new Date(2024, 0, 8, 12, 0, 0);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("time in a thread", () => {
  beforeEach(() => {
    fakeTime(NOON);
    Object.assign(data.threads[0] ?? {}, { last_seq: 1, read_seq: 1, unread_count: 0 });
    data.messages = [aMessage({ seq: 1, text: "Hello", timestamp: NOON.toISOString() })];
    server.use(respond(listMessages, () => data.messages));
  });
  afterEach(() => jest.useRealTimers());

  it("changes from now to minutes and at one hour to the clock time", async () => {
    jest.setSystemTime(NOON.getTime() + 50_000);
    const { fastForward } = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
    const time = async () => (await message("Hello")).querySelector("time")?.textContent;
    expect(await time()).toBe("now");
    await fastForward(70_000);
    expect(await time()).toBe("2 minutes ago");
    await fastForward(57 * 60_000);
    expect(await time()).toBe("59 minutes ago");
    await fastForward(60_000);
    expect(await time()).toBe("12:00");
    await fastForward(5 * HOUR_MS);
    expect(await time()).toBe("12:00");
  });

  it.each([
    [0, "Today"],
    [1, "Yesterday"],
    [2, "Mon Jan 8, 2024"],
  ])("is under the heading of its day: %i days later under %s", async (days, heading) => {
    jest.setSystemTime(NOON.getTime() + days * DAY_MS);
    renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
    await message("Hello");
    expect(
      within(await log())
        .getAllByRole("heading")
        .map(({ textContent }) => textContent),
    ).toEqual([heading]);
  });

  it("has one heading per day, above its messages", async () => {
    jest.setSystemTime(NOON.getTime() + DAY_MS);
    const { user } = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
    await message("Hello");
    await user.type(screen.getByLabelText("Message..."), "of today{Enter}");
    await message("of today");
    expect(textsIn(await log())).toEqual(["Yesterday", "Hello", "Today", "of today"]);
  });

  it("is the age of the last message as a short label in the list", async () => {
    const { fastForward } = renderChat({ advanceTimers: jest.advanceTimersByTime });
    const age = async () => (await screen.findByRole("link", { name: /^Bob/ })).querySelector("time")?.textContent;
    expect(await age()).toBe("now");
    for (const [ms, label] of [
      [5 * 60_000, "5min"],
      [2 * HOUR_MS, "2h"],
      [DAY_MS, "a day"],
      [2 * DAY_MS, "3 days"],
      [5 * DAY_MS, "a week"],
      [14 * DAY_MS, "3 weeks"],
      [60 * DAY_MS, "2 months"],
      [365 * DAY_MS, "a year"],
    ] as const) {
      await fastForward(ms);
      expect(await age()).toBe(label);
    }
  });
});
