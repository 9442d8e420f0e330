import { DELETED_AVATAR_ID } from "@messageoh/contracts/avatars";
import { getUsedSpace, type UsedSpace } from "@messageoh/contracts/media";
import { received, refuse, respond } from "@messageoh/contracts/testing/httpServer";
import { screen, waitFor, within } from "@testing-library/react";
import { anAttachment, BOB, CLEO } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);
beforeEach(() => {
  data = someData();
});

const file = (name: string, bytes: number, seq: number, thread_id = "with-bob"): UsedSpace["largest"][number] => ({
  thread_id,
  seq,
  attachment: anAttachment({ id: name.replace(".", "-"), name, bytes }),
  sent_at: "2025-03-15T12:00:00.000Z",
});
const USED: UsedSpace = {
  threads: [
    { thread_id: "with-bob", bytes: 4_000_000, files: 2 },
    { thread_id: "gone", bytes: 1_000_000, files: 1 },
  ],
  largest: [file("film.mp4", 3_000_000, 2), file("old.zip", 1_000_000, 9, "gone"), file("plan.pdf", 500_000, 2)],
};

async function opened(used: UsedSpace = USED, path = "/home") {
  server.use(respond(getUsedSpace, () => used));
  const chat = renderChat({ path });
  await screen.findByRole("navigation", { name: "Friends" });
  await chat.user.click(screen.getByRole("button", { name: /account/ }));
  await chat.user.click(screen.getByRole("menuitem", { name: "Settings" }));
  await chat.user.click(await screen.findByRole("button", { name: "Storage" }));
  return { ...chat, dialog: within(await screen.findByRole("dialog", { name: "Storage" })) };
}
const rowsOf = (section: HTMLElement) =>
  within(section)
    .getAllByRole("listitem")
    .map((row) => {
      const copy = row.cloneNode(true) as HTMLElement;
      for (const hidden of copy.querySelectorAll("[aria-hidden]")) hidden.remove();
      return copy.textContent;
    });

it("shows the space by friend and the largest files", async () => {
  const { dialog } = await opened();
  expect(await dialog.findByText("The files that you have sent take up 5.0 MB.")).toBeTruthy();
  expect(rowsOf(dialog.getByRole("region", { name: "By friend" }))).toEqual([
    "Bob4.0 MB · 2 files",
    "A former friend1.0 MB · 1 file",
  ]);
  expect(rowsOf(dialog.getByRole("region", { name: "Largest files" }))).toEqual([
    "film.mp43.0 MB · Bob · Mar 15, 2025",
    "old.zip1.0 MB · A former friend · Mar 15, 2025",
    "plan.pdf500 kB · Bob · Mar 15, 2025",
  ]);
});

it("deletes the message of a file after a question, with its other files", async () => {
  const { dialog, user } = await opened();
  await user.click(await dialog.findByRole("button", { name: "Delete film.mp4" }));
  const question = within(screen.getByRole("dialog", { name: "Delete film.mp4?" }));
  expect(document.activeElement).toBe(question.getByRole("button", { name: "Cancel" }));
  await user.click(question.getByRole("button", { name: "Delete" }));
  expect(rowsOf(dialog.getByRole("region", { name: "Largest files" }))).toHaveLength(1);
  expect(dialog.getByRole("status").textContent).toBe("Deleted. Its space is free within a day.");
  expect(document.activeElement).toBe(dialog.getByRole("heading", { name: "Largest files" }));
  await waitFor(() =>
    expect(received.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
      "/messages/me/with-bob/2",
    ]),
  );
});

it("deletes nothing of a former friend or of a deleted account", async () => {
  data.friends = [{ ...BOB, avatar_id: DELETED_AVATAR_ID, name: "Deleted account" }, CLEO];
  const { dialog } = await opened();
  await dialog.findByText("film.mp4");
  expect(dialog.queryByRole("button", { name: /^Delete/ })).toBeNull();
  expect(dialog.queryByRole("button", { name: /old\.zip/ })).toBeNull();
});

it("leads to the message of a file", async () => {
  const { dialog, user, shell } = await opened();
  await user.click(await dialog.findByRole("button", { name: /^film\.mp4/ }));
  expect(shell.path).toBe("/home/bob");
  expect(screen.queryByRole("dialog", { name: "Storage" })).toBeNull();
});

it("leaves no dialog over the message of a file, also in the open thread", async () => {
  const { dialog, user } = await opened(USED, "/home/bob");
  await user.click(await dialog.findByRole("button", { name: /^film\.mp4/ }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says so if there are no files, and offers Retry after a failure", async () => {
  const { dialog, user } = await opened({ threads: [], largest: [] });
  expect(await dialog.findByText("You have not sent any files.")).toBeTruthy();
  await user.keyboard("{Escape}");
  server.use(refuse(getUsedSpace, 503, "The server is busy"));
  await user.click(screen.getByRole("button", { name: "Storage" }));
  expect(await screen.findByText("The server is busy")).toBeTruthy();
  server.use(respond(getUsedSpace, () => USED));
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("film.mp4")).toBeTruthy();
});

it("says why it cannot be loaded above Retry", async () => {
  const { user } = await opened({ threads: [], largest: [] });
  await user.keyboard("{Escape}");
  server.use(refuse(getUsedSpace, 503, "The server is busy"));
  await user.click(screen.getByRole("button", { name: "Storage" }));
  const retry = await screen.findByRole("button", { name: "Retry" });
  const reason = screen.getByText("The server is busy");
  expect(reason.compareDocumentPosition(retry) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
