import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import { listThreads, type Message } from "@messageoh/contracts/messages";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { aStoredThread, BOB, CLEO } from "../../../testing/builders.ts";
import { fakeTime, renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const FRIENDS = "Shall we meet Bobby the Fox tomorrow?";
const deleted = (message: Message | undefined) =>
  ({ ...message, text: "deleted", deleted_at: new Date().toISOString() }) as Message;
const deletions = () => received.filter(({ method }) => method === "DELETE").map(({ path }) => path);

describe("deleting a message for both", () => {
  it("asks once, and leaves a tombstone", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete message?" });
    expect(within(dialog).getByText(/both of you will see that a message was deleted/)).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Delete for everyone" }));
    expect(await rowWith("Message deleted")).toBeTruthy();
    expect(screen.queryByText("Gladly")).toBeNull();
    await waitFor(() => expect(deletions()).toEqual(["/messages/me/with-bob/2"]));
    await waitFor(() => expect(localStorage).toHaveLength(0));
    expect(await rowWith("Message deleted")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
  });

  it("is not offered in a thread with a deleted account, where only hiding is possible", async () => {
    data.friends = [{ ...BOB, name: "Deleted account", avatar_id: DELETED_AVATAR_ID }, CLEO];
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    const dialog = within(await screen.findByRole("dialog", { name: "Delete message?" }));
    expect(dialog.getByRole("button", { name: "Delete for me" })).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Delete for everyone" })).toBeNull();
  });

  it("changes nothing if the user cancels", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await choose(user, "Gladly", "Delete");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("dialog"), shell.path]).toEqual([null, "/home/bob"]);
    expect(await rowWith("Gladly")).toBeTruthy();
    expect(deletions()).toEqual([]);
  });

  it("is still asked when the server responds and the messages of the device are replaced", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server.use(refuse(listThreads, 503, "down"));
    const stored = { friends: [BOB], threads: [aStoredThread(data.messages)] };
    const { user, connect } = renderChat({ path: "/home/bob", stored });
    await choose(user, "Gladly", "Delete");
    const dialog = await screen.findByRole("dialog", { name: "Delete message?" });
    server.resetHandlers();
    await connect();
    await waitFor(() => expect(screen.queryByText(/stored on this device/)).toBeNull());
    await user.click(within(dialog).getByRole("button", { name: "Delete for everyone" }));
    expect(await rowWith("Message deleted")).toBeTruthy();
    warn.mockRestore();
  });

  it("is shown in the list of friends", async () => {
    data.messages[2] = deleted(data.messages[2]);
    renderChat({ path: "/home/bob" });
    const friends = await screen.findByRole("navigation");
    expect(await within(friends).findByText("Message deleted")).toBeTruthy();
  });
});

describe("deleting a message for oneself", () => {
  const hidings = () =>
    received
      .filter(({ path }) => path.endsWith("/hidden"))
      .map(({ path, body }) => [path, (body as { hidden: boolean }).hidden]);
  const deleteForMe = async (user: UserEvent, text: string) => {
    await choose(user, text, "Delete");
    await user.click(await screen.findByRole("button", { name: "Delete for me" }));
  };
  const inLog = (text: string) => within(screen.getByRole("log")).queryByText(text);

  it("hides a message of the friend at once, for whom it cannot be deleted", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, FRIENDS, "Delete");
    const dialog = within(await screen.findByRole("dialog", { name: "Delete message?" }));
    expect(dialog.getByText("Only you will not see it any more.")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Delete for everyone" })).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Delete for me" }));
    expect([inLog(FRIENDS), screen.queryByRole("dialog")]).toEqual([null, null]);
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
    await waitFor(() => expect(hidings()).toEqual([["/messages/me/with-bob/1/hidden", true]]));
    await waitFor(() => expect(localStorage).toHaveLength(0));
    expect([inLog(FRIENDS), deletions()]).toEqual([null, []]);
  });

  it("is offered for an own message, beside the deletion for both", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Delete");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("Delete for me: only you will not see it any more.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Delete for me" }));
    await waitFor(() => expect(hidings()).toEqual([["/messages/me/with-bob/2/hidden", true]]));
    expect(inLog("Gladly")).toBeNull();
  });

  it("is all that the menu of a deleted message offers", async () => {
    data.messages[0] = deleted(data.messages[0]);
    const { user } = renderChat({ path: "/home/bob" });
    await user.click(within(await rowWith("Message deleted")).getByRole("button", { name: "Message actions" }));
    expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual(["Delete"]);
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Delete for me" }));
    expect(inLog("Message deleted")).toBeNull();
  });

  it("can be undone by keyboard, after which the composer has the focus", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await deleteForMe(user, FRIENDS);
    const undo = await screen.findByRole("button", { name: "Undo" });
    expect(undo.closest('[role="status"]')?.textContent).toBe("Message deleted for youUndo");
    act(() => undo.focus());
    await user.keyboard("{Enter}");
    expect(await rowWith(FRIENDS)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
    await waitFor(() => expect(hidings().at(-1)).toEqual(["/messages/me/with-bob/1/hidden", false]));
  });

  it("leaves the focus in a thread with a deleted account, which has no composer", async () => {
    data.friends = [{ ...BOB, name: "Deleted account", avatar_id: DELETED_AVATAR_ID }, CLEO];
    data.messages = data.messages.slice(0, 1);
    const { user } = renderChat({ path: "/home/bob" });
    await deleteForMe(user, FRIENDS);
    expect(await screen.findByText("No messages here yet...")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Deleted account" }));
    const undo = screen.getByRole("button", { name: "Undo" });
    act(() => undo.focus());
    await user.keyboard("{Enter}");
    await rowWith(FRIENDS);
    expect(document.activeElement).toBe(screen.getByRole("log"));
  });

  it("can be undone if it was the only message", async () => {
    data.messages = data.messages.slice(0, 1);
    const { user } = renderChat({ path: "/home/bob" });
    await deleteForMe(user, FRIENDS);
    expect(await screen.findByText("No messages here yet...")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await rowWith(FRIENDS)).toBeTruthy();
  });

  it("shows what a reply quotes as deleted", async () => {
    data.messages[2] = { ...data.messages[2], reply_to: 1 } as Message;
    const { user } = renderChat({ path: "/home/bob" });
    await deleteForMe(user, "Gladly");
    expect(within(screen.getByRole("log")).queryByText("Message deleted")).toBeNull();
    await user.click(
      within(await screen.findByRole("log")).getAllByRole("button", { name: "Message actions" })[0] as Element,
    );
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Delete for me" }));
    expect(await within(screen.getByRole("log")).findByText("Message deleted")).toBeTruthy();
  });

  describe("while time passes", () => {
    beforeEach(() => fakeTime());
    afterEach(() => jest.useRealTimers());

    it("can be undone for five seconds", async () => {
      const { user, pass } = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
      await deleteForMe(user, "Gladly");
      await pass(4_900);
      act(() => screen.getByRole("button", { name: "Undo" }).focus());
      await pass(200);
      expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
      expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
    });
  });
});
