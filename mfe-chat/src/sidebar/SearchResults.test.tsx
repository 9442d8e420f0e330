import { listMessages } from "@messageoh/contracts/messages";
import { failNetwork, received, refuse } from "@messageoh/contracts/testing/httpServer";
import { listFriends } from "@messageoh/contracts/users";
import { screen, within } from "@testing-library/react";
import { aMessage, aStoredThread, BOB } from "../../testing/builders.ts";
import { fakeTime, renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
});

const box = () => screen.getByPlaceholderText<HTMLInputElement>("Search");
const region = (name: string) => screen.findByRole("region", { name });
const searches = () => received.flatMap(({ query }) => (query.search === undefined ? [] : [query.search]));

async function searched(text: string, options?: Parameters<typeof renderChat>[0]) {
  const chat = renderChat(options);
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.type(box(), text);
  return chat;
}

describe("search", () => {
  it("groups friends under Contacts and messages under Messages, with the match in bold", async () => {
    await searched("bob");
    const messages = await region("Messages");
    expect(await within(messages).findAllByRole("button")).toHaveLength(1);
    expect(messages.querySelector("b")?.textContent).toBe("Bob");
    const contacts = await region("Contacts");
    expect(within(contacts).getByRole("heading", { name: "Contacts" })).toBeTruthy();
    expect(
      within(contacts)
        .getAllByRole("link")
        .map(({ textContent }) => textContent),
    ).toEqual(["Bob"]);
  });

  it("opens the thread of a contact and ends the search", async () => {
    const { user, shell } = await searched("cle");
    await user.click(within(await region("Contacts")).getByText("Cleo"));
    expect(shell.path).toBe("/home/cleo");
    expect(box().value).toBe("");
    expect(await screen.findByRole("region", { name: "Thread with Cleo" })).toBeTruthy();
  });

  it("moves the focus into the thread of a contact that is open already", async () => {
    const { user } = await searched("bob", { path: "/home/bob" });
    await region("Contacts");
    await user.keyboard("{ArrowDown}{Enter}");
    expect(box().value).toBe("");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Message..." }));
  });

  it("reports that there is no result", async () => {
    const { user } = await searched("qzqz");
    expect((await screen.findByText("No result for 'qzqz'")).closest('[role="status"]')).not.toBeNull();
    expect(screen.queryByRole("heading", { name: /Contacts|Messages/ })).toBeNull();
    await user.clear(box());
    expect(screen.queryByText(/No result/)).toBeNull();
  });

  it("shows 13 words around the match, with dots at cut ends", async () => {
    const words = Array.from({ length: 40 }, (_, index) => (index === 20 ? "needle" : `w${index}`));
    data.messages = [aMessage({ seq: 3, text: words.join(" ") })];
    await searched("NEEDLE");
    const button = await within(await region("Messages")).findByRole("button");
    expect(button.querySelector("bdi")?.textContent).toBe(
      "...w13 w14 w15 w16 w17 w18 w19 needle w21 w22 w23 w24 w25...",
    );
  });

  it("shows a failure with Retry below the contacts, and continues", async () => {
    const { user } = renderChat();
    await screen.findByRole("navigation", { name: "Friends" });
    server.use(refuse(listMessages, 500, "broken"));
    await user.type(box(), "bob");
    const messages = await region("Messages");
    const cover = await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    await user.click(within(cover).getByRole("button", { name: "Close" }));
    expect(within(messages).getByRole("alert").textContent).toBe("Something went wrong with your request");
    expect(within(await region("Contacts")).getByText("Bob")).toBeTruthy();
    server.resetHandlers();
    await user.click(within(messages).getByRole("button", { name: "Retry" }));
    expect(await within(messages).findByText("Bob", { selector: "b" })).toBeTruthy();
  });

  it("keeps the focus when Retry finds nothing", async () => {
    const { user } = renderChat();
    await screen.findByRole("navigation", { name: "Friends" });
    server.use(refuse(listMessages, 500, "broken"));
    await user.type(box(), "nowhere");
    const messages = await region("Messages");
    const cover = await screen.findByRole("dialog", { name: "Something went wrong with your request" });
    await user.click(within(cover).getByRole("button", { name: "Close" }));
    within(messages).getByRole("button", { name: "Retry" }).focus();
    server.resetHandlers();
    await user.keyboard("{Enter}");
    const note = await screen.findByText("No result for 'nowhere'");
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement?.contains(note)).toBe(true);
  });

  it("moves on Ctrl+K into the box and on arrows into the results, and leaves the search on Esc", async () => {
    const { user } = await searched("bob");
    await within(await region("Messages")).findAllByRole("button");
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toBe("Bob");
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toContain("Shall we meet");
    await user.keyboard("{Control>}k{/Control}");
    expect(document.activeElement).toBe(box());
    await user.keyboard("{Escape}");
    expect(box().value).toBe("");
    expect(await screen.findByRole("navigation", { name: "Friends" })).toBeTruthy();
  });

  it("replaces what it has found on the device when the server is back", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server.use(failNetwork(listFriends));
    const { connect } = await searched("fox", { stored: { friends: [BOB], threads: [aStoredThread()] } });
    expect(await screen.findByText("No result for 'fox'")).toBeTruthy();
    expect(searches()).toEqual([]);
    server.resetHandlers();
    await connect();
    expect(await screen.findByText("Fox")).toBeTruthy();
    expect(screen.queryByText(/No result/)).toBeNull();
    warn.mockRestore();
  });

  it("clears the text with its button and keeps the focus in the box", async () => {
    const { user } = await searched("bob");
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(box().value).toBe("");
    expect(document.activeElement).toBe(box());
  });
});

describe("search debounce", () => {
  afterEach(() => jest.useRealTimers());

  it("requests results 300 ms after typing stops", async () => {
    fakeTime();
    const { user, pass } = renderChat({ advanceTimers: jest.advanceTimersByTime });
    await screen.findByRole("navigation", { name: "Friends" });
    await user.type(box(), "fo");
    await pass(299);
    await user.type(box(), "x");
    await pass(299);
    expect(screen.queryByRole("heading", { name: "Messages" })).toBeNull();
    expect(searches()).toEqual([]);
    await pass(1);
    // Not `findBy`, which would advance the clock until a longer delay is over.
    expect(screen.getByRole("heading", { name: "Messages" })).toBeTruthy();
    expect(await screen.findByText("Fox")).toBeTruthy();
    expect(searches()).toEqual(["fox"]);
  });
});
