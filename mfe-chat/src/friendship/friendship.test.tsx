import { failNetwork, received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import * as users from "@messageoh/contracts/users";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aMessage, BOB, CLEO, WITH_BOB } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { DAN, type ServerData, someData, startChatServer } from "../../testing/server.ts";

let data: ServerData;
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
});

const sent = (method: string, path: string) =>
  received.filter((request) => request.method === method && request.path === path).map(({ body }) => body);
const list = () => screen.findByRole("navigation", { name: "Friends" });
const row = async (name: string) => within(await list()).findByRole("link", { name: new RegExp(name) });
const noRow = async (name: string) =>
  waitFor(() => expect(screen.queryByRole("link", { name: new RegExp(name) })).toBeNull());
const menuButton = () => screen.findByRole("button", { name: "Menu of the thread with Bob" });

/** Opens the thread with Bob and an item of its menu. */
async function choosing(item: string) {
  const chat = renderChat({ path: "/home/bob" });
  await chat.user.click(await menuButton());
  await chat.user.click(screen.getByRole("menuitem", { name: item }));
  return chat;
}

/** Removes Bob on the server, as the calls do. */
const bobGone = () => {
  data.friends = data.friends.filter(({ id }) => id !== "bob");
  data.threads = data.threads.filter(({ friend_id }) => friend_id !== "bob");
  return {};
};

describe("menu of a thread", () => {
  it.each([
    ["Unfriend", "DELETE", "/friends/me/bob", users.unfriend],
    ["Block", "PUT", "/users/me/blocked/bob", users.block],
  ])("%s asks first, then removes the thread", async (verb, method, path, endpoint) => {
    server.use(respond(endpoint, bobGone));
    const { user, shell } = await choosing(verb);
    const dialog = within(screen.getByRole("dialog", { name: `${verb} Bob?` }));
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Cancel" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sent(method, path)).toEqual([]);
    await user.click(await menuButton());
    await user.click(screen.getByRole("menuitem", { name: verb }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: verb }));
    await noRow("Bob");
    expect(sent(method, path)).toHaveLength(1);
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home"]);
    expect(await row("Cleo")).toBeTruthy();
  });

  it("keeps the friend and shows the error if the call fails", async () => {
    server.use(failNetwork(users.unfriend));
    const { user } = await choosing("Unfriend");
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Unfriend" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect(await row("Bob")).toBeTruthy();
  });

  it("works by keyboard alone", async () => {
    server.use(respond(users.block, bobGone));
    const { user } = renderChat({ path: "/home/bob" });
    const button = await menuButton();
    act(() => button.focus());
    await user.keyboard("{Enter}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}");
    expect(await screen.findByRole("dialog", { name: "Block Bob?" })).toBeTruthy();
    await user.keyboard("{Tab}{Enter}");
    await noRow("Bob");
  });

  it("mutes a thread: its unread messages stay out of the tab title", async () => {
    data.messages = [...data.messages];
    const { user, receive } = renderChat();
    await waitFor(() => expect(document.title).toBe("(1) Messageoh"));
    await user.click(await row("Bob"));
    await user.click(await menuButton());
    await user.click(screen.getByRole("menuitem", { name: "Mute" }));
    expect(await within(await row("Bob")).findByText("Muted")).toBeTruthy();
    expect(within(screen.getByRole("region", { name: "Thread with Bob" })).getByText("Muted")).toBeTruthy();
    expect(sent("PUT", "/friends/me/bob")).toEqual([{ is_muted: true }]);
    await user.click(await row("Cleo"));
    await receive((handlers) => handlers.receive_message(aMessage({ seq: 4, text: "quiet" })));
    expect((await row("Bob")).textContent).toContain("1 unread message");
    expect(document.title).toBe("Messageoh");
    await receive((handlers) => handlers.friend_changed({ user_id: "bob", is_muted: false, has_notice: false }));
    expect(document.title).toBe("(1) Messageoh");
  });

  it("says why a thread could not be muted", async () => {
    server.use(refuse(users.changeFriend, 429, "You are making too many changes"));
    await choosing("Mute");
    expect(await screen.findByText("You are making too many changes")).toBeTruthy();
  });

  it("says so beside the messages, where it takes no space from the name of the friend", async () => {
    server.use(refuse(users.changeFriend, 429, "You are making too many changes"));
    await choosing("Mute");
    const reason = await screen.findByText("You are making too many changes");
    expect(reason.closest("[role=status]")).toBeTruthy();
    expect(reason.closest("header")).toBeNull();
  });
});

describe("notice of a new friend", () => {
  const notice = () => screen.findByRole("region", { name: "New friend" });
  beforeEach(() => {
    data.friends = [{ ...BOB, has_notice: true }, CLEO];
  });

  it("says who added the user, in the list and in the thread, until OK", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    expect(within(await row("Bob")).getByText("Added you")).toBeTruthy();
    expect((await notice()).textContent).toContain("Bob added you");
    await user.click(within(await notice()).getByRole("button", { name: "OK" }));
    expect(screen.queryByRole("region", { name: "New friend" })).toBeNull();
    expect(within(await row("Bob")).queryByText("Added you")).toBeNull();
    expect(sent("PUT", "/friends/me/bob")).toEqual([{ has_notice: false }]);
    // The focused button is gone.
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
  });

  it("goes with the first own message", async () => {
    const { user, connect } = renderChat({ path: "/home/bob", lastSeq: 3 });
    await notice();
    await connect();
    await user.type(screen.getByLabelText("Message..."), "Welcome{Enter}");
    await waitFor(() => expect(screen.queryByRole("region", { name: "New friend" })).toBeNull());
    expect(sent("PUT", "/friends/me/bob")).toEqual([{ has_notice: false }]);
  });

  it.each([
    ["Unfriend", users.unfriend],
    ["Block", users.block],
  ])("offers to %s, after a confirmation", async (verb, endpoint) => {
    server.use(respond(endpoint, bobGone));
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(within(await notice()).getByRole("button", { name: verb }));
    await user.click(within(screen.getByRole("dialog", { name: `${verb} Bob?` })).getByRole("button", { name: verb }));
    await noRow("Bob");
  });

  it("comes with a friend who adds the user now, and goes when another device answers it", async () => {
    data.friends = [BOB, CLEO];
    const { receive } = renderChat();
    await row("Bob");
    data.friends = [{ ...DAN, has_notice: true }, BOB, CLEO];
    data.threads = [...data.threads, { ...someData().threads[1], thread_id: "with-dan", friend_id: "dan" } as never];
    const thread = { thread_id: "with-dan", threadId: "with-dan", friendParticipantId: "dan", messages: [] };
    await receive((handlers) => {
      handlers.received_add_new_friend({ current_user: DAN, message_thread: thread });
      handlers.friend_changed({ user_id: "dan", is_muted: false, has_notice: true });
    });
    expect(within(await row("Dan")).getByText("Added you")).toBeTruthy();
    await receive((handlers) => handlers.friend_changed({ user_id: "dan", is_muted: false, has_notice: false }));
    expect(within(await row("Dan")).queryByText("Added you")).toBeNull();
  });
});

describe("a friendship that the friend ended", () => {
  it("removes the thread at once, also while it is open", async () => {
    const { receive, shell } = renderChat({ path: "/home/bob" });
    await row("Bob");
    bobGone();
    await receive((handlers) => handlers.friend_removed({ user_id: "bob", thread_id: WITH_BOB }));
    await noRow("Bob");
    expect([screen.queryByRole("region", { name: "Thread with Bob" }), shell.path]).toEqual([null, "/home"]);
  });
});

describe("privacy", () => {
  async function opening() {
    const chat = renderChat();
    await list();
    await chat.user.click(screen.getByRole("button", { name: /account/ }));
    await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
    await chat.user.click(screen.getByRole("button", { name: "Privacy" }));
    return { ...chat, dialog: within(screen.getByRole("dialog", { name: "Privacy" })) };
  }

  it("lists blocked people, and unblocks one", async () => {
    server.use(respond(users.listBlocked, () => [DAN]));
    const { user, dialog } = await opening();
    await user.click(await dialog.findByRole("button", { name: "Unblock Dan" }));
    expect(await dialog.findByText("You have not blocked anybody.")).toBeTruthy();
    expect(dialog.getByRole("status").textContent).toBe("Dan is unblocked. You can add each other again.");
    expect(document.activeElement).toBe(dialog.getByRole("heading", { name: "Blocked people" }));
    expect(sent("DELETE", "/users/me/blocked/dan")).toHaveLength(1);
  });

  it("lets the user choose who can add them, and keeps the choice if it cannot be saved", async () => {
    const { user, dialog } = await opening();
    const choice = async (name: string) => dialog.findByRole<HTMLInputElement>("radio", { name });
    expect((await choice("Everyone")).checked).toBe(true);
    await user.click(await choice("Nobody"));
    expect(sent("PUT", "/users/me/privacy")).toEqual([{ who_may_add: "nobody" }]);
    await waitFor(() => expect(dialog.getByRole("group", { name: "Who can add you?", busy: false })).toBeTruthy());
    server.use(failNetwork(users.changePrivacy));
    await user.click(await choice("Everyone"));
    expect((await dialog.findByRole("alert")).textContent).toBe("Something went wrong with your request");
    expect((await choice("Nobody")).checked).toBe(true);
  });

  it("keeps a choice that is being saved, because a second call could overtake the first", async () => {
    const saved = Promise.withResolvers<users.Privacy>();
    server.use(respond(users.changePrivacy, () => saved.promise));
    const { user, dialog } = await opening();
    await user.click(await dialog.findByRole("radio", { name: "Nobody" }));
    await user.click(dialog.getByRole("radio", { name: "Everyone" }));
    expect(dialog.getByRole<HTMLInputElement>("radio", { name: "Nobody" }).checked).toBe(true);
    expect(sent("PUT", "/users/me/privacy")).toEqual([{ who_may_add: "nobody" }]);
    saved.resolve({ who_may_add: "nobody" });
  });

  it("offers Retry for each part that cannot be loaded", async () => {
    server.use(failNetwork(users.listBlocked), failNetwork(users.getPrivacy));
    const { user, dialog } = await opening();
    await waitFor(() => expect(dialog.getAllByRole("button", { name: "Retry" })).toHaveLength(2));
    server.resetHandlers();
    for (const button of dialog.getAllByRole("button", { name: "Retry" })) await user.click(button);
    expect(await dialog.findByText("You have not blocked anybody.")).toBeTruthy();
    expect(await dialog.findByRole("radio", { name: "Everyone" })).toBeTruthy();
  });

  it("says what failed under the heading of its part, and offers Retry below", async () => {
    server.use(failNetwork(users.listBlocked), failNetwork(users.getPrivacy));
    const { dialog } = await opening();
    for (const part of [
      dialog.getByRole("group", { name: "Who can add you?" }),
      dialog.getByRole("region", { name: "Blocked people" }),
    ]) {
      const retry = await within(part).findByRole("button", { name: "Retry" });
      const reason = within(part).getByRole("alert");
      expect(reason.compareDocumentPosition(retry) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    }
  });
});
