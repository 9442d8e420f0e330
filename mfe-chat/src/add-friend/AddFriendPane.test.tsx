import { failNetwork, received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { addFriend, listUsers } from "@messageoh/contracts/users";
import { screen, within } from "@testing-library/react";
import { renderChat } from "../../testing/renderChat.tsx";
import { startChatServer } from "../../testing/server.ts";

const server = startChatServer();
const box = () => screen.getByPlaceholderText<HTMLInputElement>("Search by username");
const added = () => received.filter(({ path }) => path === "/add_friend");

async function adding() {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: "Add friend" }));
  return chat;
}

async function confirming() {
  const chat = await adding();
  await chat.user.type(box(), "dan");
  await chat.user.click(await screen.findByRole("button", { name: "Dan" }));
  const dialog = within(screen.getByRole("dialog"));
  return { ...chat, dialog };
}

describe("add-friend pane", () => {
  it("lists users other than the user and friends, and focuses the search box", async () => {
    await adding();
    expect(document.activeElement).toBe(box());
    const list = await screen.findByRole("region", { name: "Add Friend" });
    expect((await within(list).findAllByRole("button")).map(({ textContent }) => textContent)).toEqual(["Dan"]);
  });

  it.each(["Me", "Bob", "qzqz"])("reports that %s does not exist or is already a friend", async (name) => {
    const { user } = await adding();
    await user.type(box(), name);
    const text = `User called '${name}' doesn't exist or is already in your friend list`;
    expect((await screen.findByText(text)).closest('[role="status"]')).not.toBeNull();
  });

  it.each([
    ["'Back home'", async (user) => user.click(screen.getByRole("link", { name: "Back home" }))],
    ["Esc", async (user) => user.keyboard("{Escape}")],
  ] as [string, (user: Awaited<ReturnType<typeof adding>>["user"]) => Promise<void>][])(
    "returns to the list on %s",
    async (_, leave) => {
      const { user } = await adding();
      await leave(user);
      expect(await screen.findByPlaceholderText("Search")).toBe(document.activeElement);
      expect(await screen.findByRole("navigation", { name: "Friends" })).toBeTruthy();
    },
  );

  it("asks for a confirmation; Cancel adds nobody and restores the focus", async () => {
    const { user, dialog } = await confirming();
    expect(dialog.getByText("Would you like to add this friend to your contact list?")).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Confirm" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Dan" }));
    expect(added()).toEqual([]);
  });

  it("lists a confirmed friend first, opens the empty thread and emits the event", async () => {
    const { user, dialog, shell, payloads } = await confirming();
    await user.click(dialog.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("No messages here yet...")).toBeTruthy();
    expect(added()).toMatchObject([{ method: "POST", body: { user_id: "me", friend_id: "dan" } }]);
    const friends = within(await screen.findByRole("navigation", { name: "Friends" }));
    expect((await friends.findAllByRole("link"))[0]?.textContent).toBe("Dan");
    expect(screen.queryByPlaceholderText("Search by username")).toBeNull();
    expect(shell.path).toBe("/home/dan");
    expect(payloads("add_friend")).toMatchObject([
      {
        current_user: { id: "me", name: "Me", avatar_id: "dog-id" },
        new_friend_id: "dan",
        message_thread: { threadId: "with-dan", messages: [{ text: "" }] },
      },
    ]);
  });

  it("adds a friend without opening the thread if the user cancels before the server responds", async () => {
    const { user, dialog, shell } = await confirming();
    const { promise, resolve } = Promise.withResolvers<{ friend_id: string; thread_id: string }>();
    server.use(respond(addFriend, () => promise));
    await user.click(dialog.getByRole("button", { name: "Confirm" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("link", { name: "Back home" }));
    await user.click(await screen.findByRole("link", { name: /^Cleo/ }));
    resolve({ friend_id: "dan", thread_id: "with-dan" });
    expect(await screen.findByRole("link", { name: "Dan" })).toBeTruthy();
    expect(shell.path).toBe("/home/cleo");
  });

  it.each([
    ["the server's error as it is", refuse(addFriend, 200, "Its own, <b>as is</b>"), "Its own, <b>as is</b>"],
    ["'Friend could not be added' for a network failure", failNetwork(addFriend), "Friend could not be added"],
  ])("shows %s in the overlay, where Confirm retries", async (_, handler, text) => {
    const { user, dialog } = await confirming();
    server.use(handler);
    await user.click(dialog.getByRole("button", { name: "Confirm" }));
    expect((await dialog.findByRole("alert")).textContent).toBe(text);
    server.resetHandlers();
    await user.click(dialog.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByRole("region", { name: "Thread with Dan" })).toBeTruthy();
  });

  it("covers the window if users cannot be loaded; Retry continues with the same text", async () => {
    server.use(failNetwork(listUsers));
    const { user } = await adding();
    const cover = within(await screen.findByRole("dialog", { name: "Something went wrong with your request" }));
    expect(cover.getByRole("alert").textContent).toBe("Something went wrong with your request");
    server.resetHandlers();
    await user.click(cover.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("button", { name: "Dan" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("shows the text of the specification also after too many searches", async () => {
    server.use(refuse(listUsers, 429, "Too fast, try again in 3 seconds"));
    await adding();
    const cover = await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    expect(within(cover).getByRole("button", { name: "Retry" })).toBeTruthy();
  });
});
