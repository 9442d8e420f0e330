import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import type { ListedFriend } from "@messageoh/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import { aMessage, aThreadState, BOB, CLEO } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

/** Adds friends to Bob and Cleo. */
function addFriends(...added: ListedFriend[]): void {
  data.friends = [BOB, CLEO, ...added];
  data.threads.push(...added.map(({ id }) => aThreadState({ thread_id: `with-${id}`, friend_id: id })));
}

const someone = (id: string, parts: Partial<ListedFriend> = {}): ListedFriend => ({
  id,
  name: `Friend ${id}`,
  avatar_id: "cat-id",
  ...parts,
});

/** Opens the dialog that forwards "Gladly", in the thread with Bob. */
async function opened() {
  const chat = renderChat({ path: "/home/bob", lastSeq: 3 });
  await choose(chat.user, "Gladly", "Forward");
  const dialog = within(await screen.findByRole("dialog", { name: "Forward message" }));
  const box = (name: string) => dialog.getByRole<HTMLInputElement>("checkbox", { name });
  const confirm = () => chat.user.click(dialog.getByRole("button", { name: "Forward" }));
  return { ...chat, dialog, box, confirm };
}

describe("forwarding a message", () => {
  it("sends it to one friend, whose thread opens, under a label", async () => {
    const { user, box, confirm, connect, payloads, shell } = await opened();
    await user.click(box("Cleo"));
    await confirm();
    expect(shell.path).toBe("/home/cleo");
    expect(screen.queryByRole("dialog")).toBeNull();
    const row = await rowWith("Gladly");
    expect(row.getAttribute("aria-label")).toBe("You, forwarded");
    expect(within(row).getByText("Forwarded")).toBeTruthy();
    expect(payloads("send_message")).toEqual([]);
    await connect();
    await waitFor(() =>
      expect(payloads("send_message")).toMatchObject([
        { thread_id: "with-cleo", text: "Gladly", forward_of: { thread_id: "with-bob", seq: 2 } },
      ]),
    );
  });

  it("sends it to several friends, and says so in the thread that stays open", async () => {
    const { user, box, confirm, connect, payloads, shell } = await opened();
    await user.click(box("Cleo"));
    await user.click(box("Bob"));
    await confirm();
    expect((await screen.findByText("Forwarded to 2 friends")).closest('[role="status"]')).not.toBeNull();
    expect(shell.path).toBe("/home/bob");
    await connect();
    await waitFor(() =>
      expect(payloads("send_message")).toMatchObject([{ thread_id: "with-cleo" }, { thread_id: "with-bob" }]),
    );
  });

  it("says why it is sent to nobody if the friendship has ended meanwhile", async () => {
    const { user, box, confirm, receive, shell } = await opened();
    await user.click(box("Cleo"));
    data.friends = [BOB];
    data.threads = data.threads.filter(({ friend_id }) => friend_id === BOB.id);
    await receive((handlers) => handlers.friend_removed({ user_id: "cleo", thread_id: "with-cleo" }));
    await confirm();
    expect(await screen.findByText("You can only write to your friends")).toBeTruthy();
    expect(shell.path).toBe("/home/bob");
  });

  it("is possible by keyboard alone, and gives the focus back if the user cancels", async () => {
    const { user, box, dialog, shell } = await opened();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Forward" }).disabled).toBe(true);
    await user.keyboard("{Tab}");
    expect(document.activeElement).toBe(box("Bob"));
    await user.keyboard("{ArrowDown} ");
    expect([box("Bob").checked, box("Cleo").checked]).toEqual([false, true]);
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home/bob"]);
    const button = within(await rowWith("Gladly")).getByRole("button", { name: "Message actions" });
    expect(document.activeElement).toBe(button);
  });

  it("finds friends by name", async () => {
    const { user, dialog } = await opened();
    await user.type(dialog.getByRole("textbox", { name: "Search friends" }), "cle");
    expect(dialog.getAllByRole("checkbox")).toHaveLength(1);
    await user.keyboard("x");
    expect(dialog.queryAllByRole("checkbox")).toEqual([]);
    expect(dialog.getByText("No result for 'clex'").closest('[role="status"]')).not.toBeNull();
  });

  it("goes to at most five friends at once, and says why", async () => {
    addFriends(...["1", "2", "3", "4"].map((id) => someone(id)));
    const { user, box, dialog } = await opened();
    for (const name of ["Bob", "Cleo", "Friend 1", "Friend 2", "Friend 3"]) await user.click(box(name));
    await user.click(box("Friend 4"));
    expect(box("Friend 4").checked).toBe(false);
    expect(box("Friend 4").getAttribute("aria-disabled")).toBe("true");
    const reason = dialog.getByText("You can forward to at most 5 friends at once.");
    expect(reason.getAttribute("role")).toBe("status");
    expect(box("Friend 4").getAttribute("aria-describedby")).toBe(reason.id);
    await user.click(box("Bob"));
    await user.click(box("Friend 4"));
    expect(box("Friend 4").checked).toBe(true);
  });

  it("is offered in the thread with a deleted account, and never to one", async () => {
    addFriends(someone("gone", { name: "Deleted account", avatar_id: DELETED_AVATAR_ID }));
    data.messages = data.messages.map((message) =>
      aMessage({ ...message, thread_id: "with-gone", sending_user_id: "gone", client_id: null }),
    );
    const { user } = renderChat({ path: "/home/gone" });
    await choose(user, "Gladly", "Forward");
    const dialog = within(await screen.findByRole("dialog", { name: "Forward message" }));
    expect(dialog.getAllByRole("checkbox")).toHaveLength(2);
    expect(dialog.queryByRole("checkbox", { name: "Deleted account" })).toBeNull();
  });
});

describe("a forwarded message", () => {
  it.each([
    [1, "Forwarded", "Bob, forwarded"],
    [4, "Forwarded", "Bob, forwarded"],
    [5, "Forwarded many times", "Bob, forwarded many times"],
  ])("that was forwarded %i times is labelled '%s'", async (forwarded, label, name) => {
    data.messages[0] = aMessage({ seq: 1, text: "News", forwarded });
    renderChat({ path: "/home/bob" });
    const row = await rowWith("News");
    expect(row.getAttribute("aria-label")).toBe(name);
    expect(within(row).getByText(label)).toBeTruthy();
  });

  it("has no label if it is deleted", async () => {
    data.messages[0] = aMessage({ seq: 1, text: "deleted", deleted_at: new Date().toISOString(), forwarded: 2 });
    renderChat({ path: "/home/bob" });
    expect((await rowWith("Message deleted")).getAttribute("aria-label")).toBe("Bob");
  });
});
