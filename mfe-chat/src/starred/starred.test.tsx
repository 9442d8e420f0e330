import { listStarred } from "@messageoh/contracts/changes";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { screen, waitFor, within } from "@testing-library/react";
import { aThreadState, messagesBetween, WITH_BOB } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { choose, rowWith } from "../../testing/rows.ts";
import { someData, startChatServer } from "../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
  localStorage.clear();
});

const starred = (...seqs: number[]) => {
  const last_seq = data.messages.length;
  data.threads = [aThreadState({ thread_id: WITH_BOB, last_seq, starred: seqs })];
};

async function opened() {
  const chat = renderChat();
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Starred messages" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Starred messages" }));
  return { ...chat, dialog };
}

describe("starring a message", () => {
  it("marks it for the user and can be taken back", async () => {
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "Gladly", "Star");
    expect((await rowWith("Gladly")).getAttribute("aria-label")).toBe("You, starred");
    expect(screen.getByText("Message starred")).toBeTruthy();
    await choose(user, "Gladly", "Unstar");
    await waitFor(() => expect(screen.queryByText("Star removed")).not.toBeNull());
    expect((await rowWith("Gladly")).getAttribute("aria-label")).toBe("You");
    const calls = () => received.filter(({ path }) => path === "/messages/me/with-bob/2/star").map(({ body }) => body);
    await waitFor(() => expect(calls()).toEqual([{ starred: true }, { starred: false }]));
  });
});

describe("the starred messages", () => {
  it("say in one sentence how to star a message while there are none", async () => {
    const { dialog } = await opened();
    expect(await dialog.findByText("Star a message in its menu to find it here.")).toBeTruthy();
  });

  it("are listed newest first; a click opens the message in its thread", async () => {
    starred(1, 2);
    const { dialog, user, shell } = await opened();
    await dialog.findByText("Gladly");
    const rows = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows).toEqual([expect.stringContaining("You: Gladly"), expect.stringContaining("Shall we meet Bobby")]);
    await user.click(dialog.getByRole("button", { name: /You: Gladly/ }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(shell.path).toBe("/home/bob");
    await waitFor(async () => expect((await rowWith("Gladly")).dataset.highlighted).toBe("true"));
  });

  it("lose their star there, and keep the focus in the list", async () => {
    starred(1, 2);
    const { dialog, user } = await opened();
    await user.click(await dialog.findByRole("button", { name: "Unstar: Gladly" }));
    expect(dialog.getAllByRole("listitem")).toHaveLength(1);
    expect(dialog.getByText("Star removed")).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByRole("list").parentElement);
  });

  it("are loaded page by page", async () => {
    data.messages = messagesBetween(1, 60);
    starred(...data.messages.map(({ seq }) => seq));
    const { dialog, user } = await opened();
    await user.click(await dialog.findByRole("button", { name: "Show more" }));
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(60));
    expect(dialog.queryByRole("button", { name: "Show more" })).toBeNull();
    const pages = received.filter(({ path }) => path === "/starred/me").map(({ query }) => query.before_id);
    expect(pages).toEqual([undefined, "with-bob-11"]);
  });

  it("keep the focus at their end while pages follow, also after a failure", async () => {
    data.messages = messagesBetween(1, 130);
    starred(...data.messages.map(({ seq }) => seq));
    const { dialog, user } = await opened();
    const button = await dialog.findByRole("button", { name: "Show more" });
    button.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(100));
    expect(document.activeElement).toBe(button);
    server.use(refuse(listStarred, 500, "broken"));
    await user.keyboard("{Enter}");
    await dialog.findByText("Something went wrong with your request");
    expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Retry" }));
    server.resetHandlers();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(130));
    expect(document.activeElement).toBe(dialog.getByRole("list").parentElement);
  });

  it("offer Retry after a failure", async () => {
    starred(2);
    server.use(refuse(listStarred, 500, "broken"));
    const { dialog, user } = await opened();
    const retry = await dialog.findByRole("button", { name: "Retry" });
    expect(dialog.getByText("Something went wrong with your request")).toBeTruthy();
    server.resetHandlers();
    await user.click(retry);
    expect(await dialog.findByText("Gladly")).toBeTruthy();
  });

  it("are loaded when the connection is back", async () => {
    starred(2);
    const { dialog, setOnline } = await opened();
    await dialog.findByText("Gladly");
    await setOnline(false);
    expect(await dialog.findByText(/^You are offline/)).toBeTruthy();
    await setOnline(true);
    await waitFor(() => expect(dialog.queryByText(/^You are offline/)).toBeNull());
  });
});
