import { failNetwork } from "@messageoh/contracts/testing/httpServer";
import { listFriends } from "@messageoh/contracts/users";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aMessage, aStoredThread, BOB } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  data.messages = [
    aMessage({ seq: 1, text: "A fox" }),
    aMessage({ seq: 2, text: "A hen" }),
    aMessage({ seq: 3, text: "Another FOX" }),
  ];
  localStorage.clear();
});

const log = () => screen.findByRole("log", { name: "Messages with Bob" });
const box = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Search in this thread" });
const highlighted = async () => (await log()).querySelector("[data-highlighted] [dir=auto]")?.textContent;
const count = (text: RegExp) => screen.findByText(text, { selector: '[role="status"]' });

async function opened(options?: Parameters<typeof renderChat>[0]) {
  const chat = renderChat({ path: "/home/bob", ...options });
  await within(await log()).findByText("A hen");
  await chat.user.click(screen.getByRole("button", { name: "Search in this thread" }));
  return chat;
}

describe("search in a thread", () => {
  it("shows the number of matches and goes from the newest to older and newer ones", async () => {
    const { user } = await opened();
    expect(document.activeElement).toBe(box());
    await user.keyboard("fox");
    await count(/^1 of 2/);
    await waitFor(async () => expect(await highlighted()).toBe("Another FOX"));
    await user.keyboard("{Enter}");
    await count(/^2 of 2/);
    await waitFor(async () => expect(await highlighted()).toBe("A fox"));
    expect(screen.getByRole("button", { name: "Older match" }).getAttribute("aria-disabled")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Newer match" }));
    await count(/^1 of 2/);
    await waitFor(async () => expect(await highlighted()).toBe("Another FOX"));
  });

  it("closes on Esc also at the button that has led to the oldest match", async () => {
    const { user, shell } = await opened();
    await user.keyboard("fox");
    await count(/^1 of 2/);
    const older = screen.getByRole<HTMLButtonElement>("button", { name: "Older match" });
    act(() => older.focus());
    await user.keyboard("{Enter}");
    await count(/^2 of 2/);
    expect([document.activeElement, older.disabled]).toEqual([older, false]);
    await user.keyboard("{Escape}");
    expect([screen.queryByRole("textbox", { name: "Search in this thread" }), shell.path]).toEqual([null, "/home/bob"]);
  });

  it("goes to the match before if the oldest one is deleted while it is shown", async () => {
    const { user, receive } = await opened();
    await user.keyboard("fox");
    await count(/^1 of 2/);
    await user.keyboard("{Enter}");
    await count(/^2 of 2/);
    const deleted = { text: "deleted", deleted_at: new Date().toISOString(), change: 1 };
    await receive((handlers) => handlers.message_changed({ message: aMessage({ seq: 1, ...deleted }) }));
    expect((await count(/^1 of 1/)).textContent).toBe("1 of 1: Another FOX");
  });

  it("reports that nothing matches", async () => {
    const { user } = await opened();
    await user.keyboard("wolf");
    await count(/^No result$/);
  });

  it("searches again, from the newest match, when the server is back", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server.use(failNetwork(listFriends));
    const stored = { friends: [BOB], threads: [aStoredThread(data.messages.slice(0, 2))] };
    const { user, connect } = await opened({ stored });
    await user.keyboard("a");
    await count(/^1 of 2/);
    await user.keyboard("{Enter}");
    await count(/^2 of 2/);
    server.resetHandlers();
    await connect();
    await count(/^1 of 3/);
    await waitFor(async () => expect(await highlighted()).toBe("Another FOX"));
    warn.mockRestore();
  });

  it("opens on Ctrl+F and leaves a second Ctrl+F to the browser", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await log();
    const events: boolean[] = [];
    const note = (event: KeyboardEvent) => void events.push(event.defaultPrevented);
    window.addEventListener("keydown", note);
    await user.keyboard("{Control>}f{/Control}");
    expect(document.activeElement).toBe(box());
    await user.keyboard("{Control>}f{/Control}");
    window.removeEventListener("keydown", note);
    // Each Control is an event of its own.
    expect(events).toEqual([false, true, false, false]);
  });

  it("closes on Esc, restores the focus and leaves the thread open", async () => {
    const { user, shell } = renderChat({ path: "/home/bob" });
    const composer = await screen.findByLabelText("Message...");
    await log();
    act(() => composer.focus());
    await user.keyboard("{Control>}f{/Control}fox{Escape}");
    expect(screen.queryByRole("textbox", { name: "Search in this thread" })).toBeNull();
    expect(document.activeElement).toBe(composer);
    expect(shell.path).toBe("/home/bob");
  });

  it("loads matches beyond the first page", async () => {
    data.messages = Array.from({ length: 120 }, (_, index) => aMessage({ seq: index + 1, text: `fox ${index + 1}` }));
    Object.assign(data.threads[0] ?? {}, { last_seq: 120, read_seq: 120, unread_count: 0 });
    const chat = renderChat({ path: "/home/bob" });
    await log();
    // One letter is one search, however slowly it is typed.
    await chat.user.keyboard("{Control>}f{/Control}f");
    await count(/^1 of 50\+/);
    for (let match = 1; match < 50; match += 1) await chat.user.keyboard("{ArrowUp}");
    await count(/^50 of 100\+/);
    await chat.user.keyboard("{ArrowUp}");
    await count(/^51 of 100\+/);
  });
});
