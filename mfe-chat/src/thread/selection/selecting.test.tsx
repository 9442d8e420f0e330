import { received } from "@messageoh/contracts/testing/httpServer";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aMessage, fromMe } from "../../../testing/builders.ts";
import { fakeTime, renderChat } from "../../../testing/renderChat.tsx";
import { choose, rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const FIRST = "Shall we meet Bobby the Fox tomorrow?";
const LAST = "one two three four five six seven eight nine ten";
const box = async (text: string) => within(await rowWith(text)).getByRole<HTMLInputElement>("checkbox");
const bar = () => screen.queryByRole("group", { name: "Selected messages" });
const inBar = async (name: string) =>
  within(await screen.findByRole("group", { name: "Selected messages" })).getByRole("button", { name });
const count = () => within(bar() as HTMLElement).getByRole("status").textContent;
const checked = () => screen.getAllByRole<HTMLInputElement>("checkbox").map((input) => input.checked);

/** Begins a selection with "Gladly", the second of three messages. */
async function selecting(path = "/home/bob") {
  const chat = renderChat({ path, lastSeq: 3 });
  await choose(chat.user, "Gladly", "Select");
  await inBar("Copy");
  return chat;
}

describe("selecting messages", () => {
  it("begins with the message of the menu, and gives the composer its place and draft back", async () => {
    const chat = renderChat({ path: "/home/bob" });
    await chat.user.type(await screen.findByLabelText("Message..."), "a draft");
    await choose(chat.user, "Gladly", "Select");
    await inBar("Copy");
    expect([checked(), count()]).toEqual([[false, true, false], "1 selected"]);
    expect(document.activeElement).toBe(await box("Gladly"));
    expect(screen.queryByRole("textbox", { name: "Message..." })).toBeNull();
    expect(screen.queryByRole("button", { name: "Message actions" })).toBeNull();
    await chat.user.click(await inBar("Cancel selection"));
    expect(bar()).toBeNull();
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message..." }).value).toBe("a draft");
    expect(document.activeElement).toBe(
      within(await rowWith("Gladly")).getByRole("button", { name: "Message actions" }),
    );
  });

  it("names each check box by its message", async () => {
    data.messages[0] = aMessage({ seq: 1, text: "News", forwarded: 1 });
    await selecting();
    expect(await screen.findByRole("checkbox", { name: "Forwarded News" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Gladly" })).toBeTruthy();
  });

  it("takes and leaves out messages, and offers nothing for none", async () => {
    const { user } = await selecting();
    await user.click(await box(FIRST));
    expect([checked(), count()]).toEqual([[true, true, false], "2 selected"]);
    await user.click(await box(FIRST));
    await user.click(await box("Gladly"));
    expect([checked(), count()]).toEqual([[false, false, false], "0 selected"]);
    for (const name of ["Copy", "Forward", "Star", "Delete"]) {
      expect((await inBar(name)).getAttribute("aria-disabled")).toBe("true");
    }
  });

  it("goes on with the keyboard alone, and ends on Escape without closing the thread", async () => {
    const { user, shell } = await selecting();
    await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
    expect(checked()).toEqual([false, true, true]);
    expect(document.activeElement).toBe(await box(LAST));
    await user.keyboard(" ");
    expect(checked()).toEqual([false, true, false]);
    await user.keyboard("{Shift>}{Home}{/Shift}");
    expect(checked()).toEqual([true, true, true]);
    await user.keyboard("{ArrowDown}{Escape}");
    expect([bar(), shell.path]).toEqual([null, "/home/bob"]);
    expect(document.activeElement?.closest("article")).toBe(await rowWith("Gladly"));
  });

  it("ends on Back", async () => {
    await selecting();
    history.back();
    await waitFor(() => expect(bar()).toBeNull());
    expect(await rowWith("Gladly")).toBeTruthy();
  });

  it("leaves out deleted and unsent messages, also those that are deleted meanwhile", async () => {
    data.messages[0] = aMessage({ seq: 1, text: "deleted", deleted_at: new Date().toISOString() });
    const { user, receive } = await selecting();
    await user.click(await box(LAST));
    expect(checked()).toEqual([true, true]);
    await receive((handlers) =>
      handlers.message_changed({
        message: aMessage({ seq: 3, text: "deleted", deleted_at: new Date().toISOString(), change: 1 }),
      }),
    );
    expect([checked(), count()]).toEqual([[true], "1 selected"]);
  });

  describe("with copying", () => {
    it("copies one as a text, on Ctrl+C", async () => {
      const { user } = await selecting();
      const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
      await user.keyboard("{Control>}c{/Control}");
      expect(write).toHaveBeenCalledWith("Gladly");
      expect(await screen.findByText("Text copied")).toBeTruthy();
      expect(bar()).toBeNull();
    });

    it("copies several in order, with their authors", async () => {
      const { user } = await selecting();
      await user.click(await box(FIRST));
      const write = jest.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
      await user.click(await inBar("Copy"));
      const lines = String(write.mock.calls[0]?.[0]).split("\n");
      expect(lines.map((line) => line.replace(/^\[.*?\] /, ""))).toEqual([`Bob: ${FIRST}`, "Me: Gladly"]);
      expect(await screen.findByText("2 messages copied")).toBeTruthy();
    });

    it("keeps the selection if the browser does not allow it", async () => {
      const { user } = await selecting();
      jest.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("NotAllowedError"));
      document.execCommand = () => false;
      await user.click(await inBar("Copy"));
      expect(await screen.findByText("Could not be copied")).toBeTruthy();
      expect(count()).toBe("1 selected");
    });
  });

  it("forwards them in order", async () => {
    const { user, connect, payloads, shell } = await selecting();
    await connect();
    await user.click(await box(FIRST));
    await user.click(await inBar("Forward"));
    const dialog = within(await screen.findByRole("dialog", { name: "Forward 2 messages" }));
    await user.click(dialog.getByRole("checkbox", { name: "Cleo" }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    expect(shell.path).toBe("/home/cleo");
    await waitFor(() =>
      expect(payloads("send_message")).toMatchObject([
        { thread_id: "with-cleo", text: FIRST, forward_of: { seq: 1 } },
        { thread_id: "with-cleo", text: "Gladly", forward_of: { seq: 2 } },
      ]),
    );
    expect(bar()).toBeNull();
  });

  it("stars them, and removes the stars if all have one", async () => {
    const stars = () =>
      received
        .filter(({ path }) => path.endsWith("/star"))
        .map(({ path, body }) => [path.split("/")[4], (body as { starred: boolean }).starred]);
    const { user } = await selecting();
    await user.click(await box(FIRST));
    await user.click(await inBar("Star"));
    expect(await screen.findByText("2 messages starred")).toBeTruthy();
    expect(bar()).toBeNull();
    await choose(user, "Gladly", "Select");
    await user.click(await inBar("Unstar"));
    await waitFor(() =>
      expect(stars()).toEqual([
        ["1", true],
        ["2", true],
        ["2", false],
      ]),
    );
  });

  describe("with deleting", () => {
    const calls = () =>
      received
        .filter(({ method, path }) => method === "DELETE" || path.endsWith("/hidden"))
        .map(({ method, path, body }) => [method, path.split("/")[4], (body as { hidden?: boolean })?.hidden]);

    it("hides them after one question, and shows all again on Undo", async () => {
      const { user } = await selecting();
      await user.click(await box(FIRST));
      await user.click(await inBar("Delete"));
      const dialog = within(await screen.findByRole("dialog", { name: "Delete 2 messages?" }));
      expect(dialog.getByText("Only you will not see them any more.")).toBeTruthy();
      expect(dialog.queryByRole("button", { name: "Delete for everyone" })).toBeNull();
      await user.click(dialog.getByRole("button", { name: "Delete for me" }));
      const log = within(screen.getByRole("log"));
      expect([log.queryByText(FIRST), log.queryByText("Gladly"), bar()]).toEqual([null, null, null]);
      expect(await screen.findByText("2 messages deleted for you")).toBeTruthy();
      expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
      await waitFor(() => expect(calls()).toHaveLength(2));
      await user.click(screen.getByRole("button", { name: "Undo" }));
      await rowWith(FIRST);
      await rowWith("Gladly");
      await waitFor(() =>
        expect(calls().map(([, seq, hidden]) => [seq, hidden])).toEqual([
          ["1", true],
          ["2", true],
          ["1", false],
          ["2", false],
        ]),
      );
    });

    it("deletes own ones for both, one after the other", async () => {
      data.messages[0] = fromMe({ seq: 1, text: "Mine" });
      const { user } = await selecting();
      await user.click(await box("Mine"));
      await user.click(await inBar("Delete"));
      const dialog = within(await screen.findByRole("dialog", { name: "Delete 2 messages?" }));
      expect(dialog.getByText(/both of you will see that messages were deleted/)).toBeTruthy();
      await user.click(dialog.getByRole("button", { name: "Delete for everyone" }));
      await waitFor(() => expect(screen.getAllByText("Message deleted").length).toBeGreaterThanOrEqual(2));
      await waitFor(() =>
        expect(calls().map(([method, seq]) => [method, seq])).toEqual([
          ["DELETE", "1"],
          ["DELETE", "2"],
        ]),
      );
    });
  });

  describe("on a touch screen", () => {
    beforeEach(() => fakeTime());
    afterEach(() => jest.useRealTimers());

    it("takes another message on a long press, after which no click leaves it out", async () => {
      const { user, pass } = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
      await choose(user, "Gladly", "Select");
      await inBar("Copy");
      const target = await rowWith(LAST);
      fireEvent(
        target,
        Object.assign(new MouseEvent("pointerdown", { bubbles: true, clientX: 1, clientY: 1 }), {
          pointerType: "touch",
        }),
      );
      await pass(500);
      expect(checked()).toEqual([false, true, true]);
      expect(screen.queryByRole("menu")).toBeNull();
      expect(fireEvent.touchEnd(target)).toBe(false);
    });
  });
});
