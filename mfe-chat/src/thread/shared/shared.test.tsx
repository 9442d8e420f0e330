import type { Attachment } from "@messageoh/contracts/attachments";
import { received } from "@messageoh/contracts/testing/httpServer";
import { act, screen, waitFor, within } from "@testing-library/react";
import { aMessage, anAttachment } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { type ServerData, someData, startChatServer } from "../../../testing/server.ts";

let data: ServerData;
startChatServer(() => data);
beforeEach(() => {
  localStorage.clear();
  data = someData();
});

const aPicture = (id: string) =>
  anAttachment({ id, kind: "picture", name: `${id}.webp`, type: "image/webp", width: 800, height: 600 });
const aFile = (name: string) =>
  anAttachment({ id: name.replaceAll(".", "-"), name, bytes: 24_000, type: "application/pdf" });
const CLIP = anAttachment({ id: "clip", kind: "video", name: "clip.mp4", type: "video/mp4", seconds: 75 });
const VOICE = anAttachment({ id: "v", kind: "audio", name: "v.webm", type: "audio/webm", seconds: 12, wave: "AAAA" });

/** Adds a message of a month of 2025 to Bob's thread. */
function add(month: number, text: string, ...attachments: Attachment[]): void {
  const seq = data.messages.length + 1;
  const timestamp = new Date(Date.UTC(2025, month - 1, 15, 12, 0, seq)).toISOString();
  data.messages = [
    ...data.messages,
    aMessage({ seq, timestamp, text, ...(attachments.length > 0 && { attachments }) }),
  ];
}

async function opened() {
  const chat = renderChat({ path: "/home/bob" });
  const menu = await screen.findByRole("button", { name: "Menu of the thread with Bob" });
  await chat.user.click(menu);
  await chat.user.click(screen.getByRole("menuitem", { name: "Media, files and links" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Media, files and links" }));
  await waitFor(() => expect(dialog.queryByText("Loading...")).toBeNull());
  return { ...chat, dialog, menu, tab: (name: string) => chat.user.click(dialog.getByRole("tab", { name })) };
}
const pagesOf = (part: string) => received.filter(({ path, query }) => path.startsWith("/messages/") && part in query);

it("shows photos and videos by month, newest first, and opens the viewer at one", async () => {
  add(3, "Old", aPicture("a"), aPicture("b"));
  add(4, "New", CLIP, aPicture("c"));
  const { dialog, user } = await opened();
  expect((await dialog.findAllByRole("heading", { level: 3 })).map(({ textContent }) => textContent)).toEqual([
    "April 2025",
    "March 2025",
  ]);
  const tiles = dialog.getAllByRole("button", { name: /^(?:Photo|Video) from/ });
  expect(tiles.map((tile) => tile.getAttribute("aria-label"))).toEqual([
    "Video from Bob, Apr 15: clip.mp4",
    "Photo from Bob, Apr 15: c.webp",
    "Photo from Bob, Mar 15: a.webp",
    "Photo from Bob, Mar 15: b.webp",
  ]);
  expect(dialog.getByText("1:15")).toBeTruthy();
  const tile = dialog.getByRole("button", { name: /b\.webp$/ });
  await user.click(tile);
  const viewer = within(await screen.findByRole("dialog", { name: "b.webp" }));
  expect(viewer.getByText("Photo 2 of 3")).toBeTruthy();
  await user.click(viewer.getByRole("button", { name: "Close" }));
  expect(document.activeElement).toBe(tile);
});

it("shows a video in its message", async () => {
  add(4, "The heron", CLIP);
  const { dialog, user } = await opened();
  await user.click(await dialog.findByRole("button", { name: /^Video from Bob/ }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() =>
    expect(within(screen.getByRole("log")).getByText("The heron").closest("[data-highlighted]")).toBeTruthy(),
  );
});

it("lists files with their downloads, and finds all attachments by name", async () => {
  add(3, "Plan", aFile("plan.pdf"));
  add(4, "Voice message 0:12", VOICE);
  add(4, "Photo", aPicture("plan-b"));
  const { dialog, user, tab } = await opened();
  await tab("Files");
  const names = () => dialog.queryAllByRole("link").map((link) => link.getAttribute("aria-label"));
  await waitFor(() => expect(names()).toEqual(["Download Voice message 0:12", "Download plan.pdf"]));
  expect(dialog.getByText("24 kB · Bob · Mar 15")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: "Search by file name" }), "PLAN");
  await waitFor(() => expect(names()).toEqual(["Download plan-b.webp", "Download plan.pdf"]));
  await user.type(dialog.getByRole("textbox"), "zzz");
  expect(await dialog.findByText("No file called 'PLANzzz'")).toBeTruthy();
  await user.clear(dialog.getByRole("textbox"));
  await user.click(await dialog.findByRole("button", { name: /^plan\.pdf/ }));
  await waitFor(() => expect(screen.getByText("Plan").closest("[data-highlighted]")).toBeTruthy());
});

it("lists the links of messages and shows their messages", async () => {
  add(3, "See https://www.example.com/path?a=1 and http://b.example, not http:");
  const { dialog, user, tab } = await opened();
  await tab("Links");
  await dialog.findByText("example.com/path?a=1");
  expect(dialog.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "https://www.example.com/path?a=1",
    "http://b.example",
  ]);
  await user.click(dialog.getAllByRole("button", { name: "Show message" })[0] as HTMLElement);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("says calmly that there is nothing yet, in each tab by keyboard", async () => {
  const { dialog, user } = await opened();
  expect(await dialog.findByText("No photos or videos here yet.")).toBeTruthy();
  act(() => dialog.getByRole("tab", { name: "Media" }).focus());
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(dialog.getByRole("tab", { name: "Files" }));
  expect(await dialog.findByText("No files here yet.")).toBeTruthy();
  await user.keyboard("{End}");
  expect(await dialog.findByText("No links here yet.")).toBeTruthy();
  expect(dialog.getByRole("tabpanel", { name: "Links" })).toBeTruthy();
});

it("loads pages until the list is long enough, and older ones on demand", async () => {
  for (let day = 0; day < 60; day += 1) add(2, "Photo", aPicture(`old-${day}`));
  for (let day = 0; day < 60; day += 1) add(3, "File", aFile(`new-${day}.pdf`));
  const { dialog, user } = await opened();
  await waitFor(() => expect(dialog.getAllByRole("button", { name: /^Photo from/ })).toHaveLength(40));
  expect(pagesOf("attached")).toHaveLength(2);
  await user.click(dialog.getByRole("button", { name: "Show older" }));
  await waitFor(() => expect(dialog.getAllByRole("button", { name: /^Photo from/ })).toHaveLength(60));
  expect(dialog.queryByRole("button", { name: "Show older" })).toBeNull();
});

it("keeps the focus at its end while older ones follow", async () => {
  for (let day = 0; day < 130; day += 1) add(3, "Photo", aPicture(`p-${day}`));
  const { dialog, user } = await opened();
  const photos = () => dialog.getAllByRole("button", { name: /^Photo from/ });
  const button = await dialog.findByRole("button", { name: "Show older" });
  button.focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(photos()).toHaveLength(100));
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(photos()).toHaveLength(130));
  expect(dialog.getByRole("tabpanel").contains(document.activeElement)).toBe(true);
});

it("asks for four pages without an item, and not for more", async () => {
  for (let day = 0; day < 320; day += 1) add(3, "File", aFile(`new-${day}.pdf`));
  const { dialog } = await opened();
  expect(await dialog.findByRole("button", { name: "Show older" })).toBeTruthy();
  await waitFor(() => expect(pagesOf("attached")).toHaveLength(5));
});

it("loses a photo whose message is deleted", async () => {
  add(3, "Old", aPicture("a"));
  const { dialog, receive } = await opened();
  await dialog.findByRole("button", { name: /^Photo from/ });
  const [message] = data.messages.slice(-1);
  const deleted_at = new Date().toISOString();
  await receive((handlers) =>
    handlers.message_changed({ message: { ...(message ?? aMessage()), text: "deleted", deleted_at, change: 1 } }),
  );
  await waitFor(() => expect(dialog.queryByRole("button", { name: /^Photo from/ })).toBeNull());
});
