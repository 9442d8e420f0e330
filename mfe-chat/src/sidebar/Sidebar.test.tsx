import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import { setDesktop } from "@messageoh/ui-kit/testing/layout";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aMessage, aThreadState, BOB, fromCleo, fromMe, WITH_CLEO } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
});
afterEach(() => {
  setDesktop(true);
  localStorage.clear();
});

const list = () => screen.findByRole("navigation", { name: "Friends" });
const entry = async (name: string) => within(await list()).findByRole("link", { name: new RegExp(`^${name}`) });
const pictureIn = (element: HTMLElement) => element.querySelector("img")?.getAttribute("src");

describe("sidebar", () => {
  it("shows the greeting beside the user's avatar, an add-friend icon and a search box", async () => {
    renderChat();
    await list();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Hi Me!");
    expect(screen.getByAltText("Dog").getAttribute("src")).toBe("avatars.svg#dog-id");
    expect(screen.getByRole("button", { name: "Add friend" })).toBeTruthy();
    expect(screen.getByPlaceholderText("Search")).toBeTruthy();
  });

  it.each([
    ["wide", true],
    ["narrow", false],
  ])("shows both lines and a sad jellyfish to a user without friends on a %s screen", async (_, isWide) => {
    setDesktop(isWide);
    Object.assign(data, { friends: [], messages: [], threads: [] });
    renderChat();
    const title = await screen.findByText("No friends here yet...");
    expect(screen.getByText("Don't be shy, add a friend first!")).toBeTruthy();
    expect(title.parentElement && pictureIn(title.parentElement)).toBe("sad-jellyfish.svg");
  });

  it("leads a user without friends to the search for one", async () => {
    Object.assign(data, { friends: [], messages: [], threads: [] });
    const { user } = renderChat();
    await user.click(await screen.findByRole("button", { name: "Add your first friend" }));
    expect(document.activeElement).toBe(await screen.findByPlaceholderText("Search by username"));
  });

  it("shows 'You:' and the send state of an own message, and which thread has a draft", async () => {
    data.messages = [fromMe({ seq: 1, text: "Gladly" })];
    const { user } = renderChat();
    const bob = await entry("Bob");
    expect(bob.textContent).toContain("You: Gladly");
    expect(within(bob).getByRole("img", { name: "Sent" })).toBeTruthy();
    await user.click(bob);
    await user.type(await screen.findByLabelText("Message..."), "Shall we");
    expect(within(bob).queryByText("Draft")).toBeNull();
    await user.click(await entry("Cleo"));
    expect(await within(bob).findByText("Draft")).toBeTruthy();
  });

  it("shows no draft to a deleted account, to which nobody can send or remove it", async () => {
    const { user, receive } = renderChat({ path: "/home/bob" });
    await user.type(await screen.findByLabelText("Message..."), "Shall we");
    await user.click(await entry("Cleo"));
    expect(within(await entry("Bob")).getByText("Draft")).toBeTruthy();
    const gone = { ...BOB, name: "Deleted account", avatar_id: DELETED_AVATAR_ID };
    await receive((handlers) => handlers.user_updated({ user: gone }));
    expect(within(await entry("Deleted account")).queryByText("Draft")).toBeNull();
  });

  it("shows avatar, name and the first nine words of the last message", async () => {
    data.messages = [aMessage({ seq: 1, text: "one two three four five six seven eight nine" })];
    const { receive } = renderChat();
    const bob = await entry("Bob");
    expect(within(bob).getByText("Bob")).toBeTruthy();
    expect(pictureIn(bob)).toBe("avatars.svg#cat-id");
    expect(within(bob).getByText("one two three four five six seven eight nine")).toBeTruthy();
    const text = "one two three four five six seven eight nine ten eleven";
    await receive((handlers) => handlers.receive_message(aMessage({ seq: 4, text })));
    expect(await within(bob).findByText("one two three four five six seven eight nine...")).toBeTruthy();
  });

  it("marks unread messages until the thread is opened", async () => {
    const { user } = renderChat();
    expect((await entry("Bob")).textContent).toContain("1 unread message");
    expect(document.title).toMatch(/^\(1\) Messageoh$/);
    await user.click(await entry("Bob"));
    expect((await entry("Bob")).textContent).not.toContain("unread");
    expect((await entry("Bob")).getAttribute("aria-current")).toBe("page");
    expect(document.title).toBe("Messageoh");
  });

  it("moves the friend with the newest message to the top", async () => {
    const { receive } = renderChat();
    const names = async () =>
      within(await list())
        .getAllByRole("link")
        .map((link) => link.querySelector(".name")?.textContent);
    await entry("Bob");
    expect(await names()).toEqual(["Bob", "Cleo"]);
    await receive((handlers) => handlers.receive_message(fromCleo({ seq: 1, timestamp: "2024-02-01T00:00:00.000Z" })));
    await waitFor(async () => expect(await names()).toEqual(["Cleo", "Bob"]));
  });

  it("shows that a friend is typing beside the preview, and who is online", async () => {
    const { receive } = renderChat();
    const bob = await entry("Bob");
    await receive((handlers) => handlers.typing({ thread_id: "with-bob", user_id: "bob", is_typing: true }));
    expect(within(bob).getByText("Typing...")).toBeTruthy();
    await receive((handlers) => handlers.typing({ thread_id: "with-bob", user_id: "bob", is_typing: false }));
    expect(within(bob).queryByText("Typing...")).toBeNull();
    await receive((handlers) => handlers.presence({ user_id: "bob", is_online: true }));
    expect(bob.textContent).toContain("nline");
  });

  it("updates unread count and preview while the user searches or adds a friend", async () => {
    data.threads = [aThreadState(), aThreadState({ thread_id: WITH_CLEO, friend_id: "cleo" })];
    data.messages = [];
    const { user, receive } = renderChat();
    await entry("Bob");
    const search = screen.getByPlaceholderText("Search");
    await user.type(search, "nothing like this");
    expect(await screen.findByText("No result for 'nothing like this'")).toBeTruthy();
    await receive((handlers) => handlers.receive_message(aMessage({ seq: 1, text: "while searching" })));
    expect(document.title).toMatch(/^\(1\)/);
    await user.clear(search);
    expect((await entry("Bob")).textContent).toContain("while searching");
    await user.click(screen.getByRole("button", { name: "Add friend" }));
    await receive((handlers) => handlers.receive_message(aMessage({ seq: 2, text: "while adding" })));
    expect(document.title).toMatch(/^\(2\)/);
    await user.click(screen.getByText("Back home"));
    expect((await entry("Bob")).textContent).toContain("while adding");
    expect((await entry("Bob")).textContent).toContain("2 unread messages");
  });

  it("has one Tab stop; arrows, Home and End move between the friends", async () => {
    const { user } = renderChat();
    const [bob, cleo] = [await entry("Bob"), await entry("Cleo")];
    expect([bob.tabIndex, cleo.tabIndex]).toEqual([0, -1]);
    act(() => bob.focus());
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(cleo);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(cleo);
    await user.keyboard("{Home}");
    expect(document.activeElement).toBe(bob);
    await user.keyboard("{End}");
    expect(document.activeElement).toBe(cleo);
  });
});

describe("account menu", () => {
  const button = () => screen.getByRole("button", { name: /account/ });
  const items = () => within(screen.getByRole("menu")).getAllByRole("menuitem");

  it("lists its items and closes on a click elsewhere", async () => {
    const { user } = renderChat();
    await list();
    await user.click(screen.getByAltText("Dog"));
    expect(items().map(({ textContent }) => textContent)).toEqual([
      "Change avatar",
      "Share my link",
      "Starred messages",
      "Dark theme",
      "Settings",
      "Log out",
    ]);
    await user.click(screen.getByRole("heading", { level: 1 }));
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("opens, moves and closes by keyboard, and restores the focus", async () => {
    const { user } = renderChat();
    await list();
    const focused = () => document.activeElement?.textContent;
    act(() => button().focus());
    await user.keyboard("{Enter}");
    expect(focused()).toBe("Change avatar");
    await user.keyboard("{ArrowDown}");
    expect(focused()).toBe("Share my link");
    await user.keyboard("{ArrowUp}{ArrowUp}");
    expect(focused()).toBe("Log out");
    await user.keyboard("{ArrowDown}");
    expect(focused()).toBe("Change avatar");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it("switches between the dark and the light theme", async () => {
    const { user } = renderChat();
    await list();
    const choose = async (name: string) => {
      await user.click(button());
      await user.click(screen.getByRole("menuitem", { name }));
      return localStorage.getItem("messageoh:theme");
    };
    expect(await choose("Dark theme")).toBe("dark");
    expect(await choose("Light theme")).toBe("light");
  });

  it("logs out, which also removes the drafts", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await user.type(await screen.findByLabelText("Message..."), "a draft that nobody else may read");
    expect(JSON.stringify(localStorage)).toContain("nobody else");
    await user.click(button());
    await user.click(screen.getByRole("menuitem", { name: "Log out" }));
    await screen.findByRole("heading", { level: 1 });
    expect(shell.isLoggedOut).toBe(true);
    expect(JSON.stringify(localStorage)).not.toMatch(/draft/);
  });
});
