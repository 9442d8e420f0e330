import { listMessages, type Message } from "@messageoh/contracts/messages";
import { refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aMessage, fromMe } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { rowWith } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

const on = (day: number) => new Date(2024, 0, day, 12).toISOString();
const data = someData();
data.messages = [
  aMessage({ seq: 1, text: "first", timestamp: on(5) }),
  fromMe({ seq: 2, text: "second", timestamp: on(8) }),
  aMessage({ seq: 3, text: "third", timestamp: on(8) }),
];
const server = startChatServer(() => data);

/** Opens the dialog by keyboard. */
async function opened() {
  const chat = renderChat({ path: "/home/bob" });
  await rowWith("third");
  const menu = screen.getByRole("button", { name: "Menu of the thread with Bob" });
  act(() => menu.focus());
  await chat.user.keyboard("{Enter}{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "Go to date" }));
  const choose = (day: string) => fireEvent.change(dialog.getByLabelText("Date"), { target: { value: day } });
  return { ...chat, menu, dialog, choose };
}

const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

describe("going to a date", () => {
  it("highlights the first message of that day, and restores the focus", async () => {
    const { user, dialog, choose, menu } = await opened();
    expect(document.activeElement).toBe(dialog.getByLabelText("Date"));
    choose("2024-01-08");
    await user.keyboard("{Tab}{Tab}{Enter}");
    await isClosed();
    expect((await rowWith("second")).dataset.highlighted).toBe("true");
    expect(document.activeElement).toBe(menu);
    expect(screen.queryByText(/There are no messages/)).toBeNull();
  });

  it("goes to the next later message if the day has none, and says so", async () => {
    const { user, dialog, choose } = await opened();
    choose("2024-01-06");
    await user.click(dialog.getByRole("button", { name: "Go" }));
    await isClosed();
    expect((await rowWith("second")).dataset.highlighted).toBe("true");
    expect(screen.getByText("There are no messages on that day. The next ones are from Mon Jan 8, 2024.")).toBeTruthy();
  });

  it("says that there is no later message, or no date, and stays open", async () => {
    const { user, dialog, choose } = await opened();
    await user.click(dialog.getByRole("button", { name: "Go" }));
    expect(dialog.getByText("Please choose a date.")).toBeTruthy();
    choose("2024-01-09");
    expect(dialog.queryByText("Please choose a date.")).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Go" }));
    expect(await dialog.findByText("There are no messages on this day or later.")).toBeTruthy();
  });

  it("goes nowhere if the user cancels before the server responds", async () => {
    const { user, shell, dialog, choose } = await opened();
    const { promise, resolve } = Promise.withResolvers<Message[]>();
    server.use(respond(listMessages, ({ query }) => (query.from === undefined ? [] : promise)));
    choose("2024-01-08");
    await user.click(dialog.getByRole("button", { name: "Go" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("link", { name: /^Cleo/ }));
    resolve(data.messages.slice(1));
    await act(() => new Promise((done) => setTimeout(done, 100)));
    expect(shell.path).toBe("/home/cleo");
  });

  it("shows why the server could not be asked", async () => {
    const { user, dialog, choose } = await opened();
    server.use(refuse(listMessages, 429, "Too many requests"));
    choose("2024-01-08");
    await user.click(dialog.getByRole("button", { name: "Go" }));
    expect(await dialog.findByText("Too many requests")).toBeTruthy();
  });
});
