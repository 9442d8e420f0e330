import { textWithoutCaption } from "@messageoh/contracts/attachments";
import { editMessage } from "@messageoh/contracts/changes";
import { CHANGED_MEANWHILE } from "@messageoh/contracts/errorTexts";
import { received, refuse } from "@messageoh/contracts/testing/httpServer";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aMessage, anAttachment, fromMe } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose } from "../../../testing/rows.ts";
import { someData, startChatServer } from "../../../testing/server.ts";

let data = someData();
const server = startChatServer(() => data);

const aPicture = (id: string) =>
  anAttachment({ id, kind: "picture", name: `${id}.webp`, type: "image/webp", width: 800, height: 600 });
const LETTER = anAttachment({ id: "letter", name: "letter.pdf", bytes: 24_000, type: "application/pdf" });

beforeEach(() => {
  data = someData();
  localStorage.clear();
});

/** Adds a message to Bob's thread. */
function add(parts: Parameters<typeof aMessage>[0], isMine = false): void {
  const seq = data.messages.length + 1;
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  data.messages = [...data.messages, (isMine ? fromMe : aMessage)({ seq, timestamp, ...parts })];
}

const log = async () => within(await screen.findByRole("log"));

describe("a message with files", () => {
  it("shows its pictures, its files with their downloads, and its caption", async () => {
    add({ text: "From the lake", attachments: [aPicture("a"), aPicture("b"), LETTER] });
    renderChat({ path: "/home/bob" });
    const messages = await log();
    const second = await messages.findByRole("button", { name: "Photo 2 of 2 from Bob: b.webp" });
    const picture = second.querySelector("img");
    expect(picture?.getAttribute("srcset")).toBe("/messageoh/media/b/thumb 320w, /messageoh/media/b/view 800w");
    expect(picture?.getAttribute("loading")).toBe("lazy");
    const download = messages.getByRole("link", { name: "Download letter.pdf" });
    expect(download.getAttribute("href")).toBe("/messageoh/media/letter/file");
    expect(messages.getByText("24 kB")).toBeTruthy();
    expect(messages.getByText("From the lake")).toBeTruthy();
  });

  it("without a caption is named in the list of friends, in quotes and for screen readers, and has no text to copy", async () => {
    const attachments = [aPicture("a"), aPicture("b")];
    add({ text: textWithoutCaption(attachments), attachments });
    add({ text: "Nice", reply_to: 4 }, true);
    const { user } = renderChat({ path: "/home/bob" });
    const messages = await log();
    const quote = await messages.findByRole("button", { name: /^Bob\s*2 photos$/ });
    const row = (await messages.findByRole("button", { name: /^Photo 1 of 2/ })).closest("article") as HTMLElement;
    expect(quote).toBeTruthy();
    expect(within(row).getByText("2 photos")).toBeTruthy();
    expect(within(row).queryByText(/a\.webp/)).toBeNull();
    await user.click(within(row).getByRole("button", { name: "Message actions" }));
    expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).not.toContain("Copy text");
  });

  it("is the preview of its thread by what it is", async () => {
    add({ text: textWithoutCaption([LETTER]), attachments: [LETTER] });
    renderChat();
    expect((await screen.findByRole("link", { name: /^Bob/ })).textContent).toContain("File");
  });

  it("loses its files with its deletion", async () => {
    add({ text: "From the lake", attachments: [aPicture("a")] }, true);
    const chat = renderChat({ path: "/home/bob" });
    const messages = await log();
    await messages.findByRole("button", { name: "Photo from you: a.webp" });
    const [message] = data.messages.slice(-1);
    const deleted_at = new Date().toISOString();
    await chat.receive((handlers) =>
      handlers.message_changed({ message: { ...(message ?? aMessage()), text: "deleted", deleted_at, change: 1 } }),
    );
    expect(messages.queryByRole("button", { name: /^Photo/ })).toBeNull();
    expect(messages.getByText("Message deleted")).toBeTruthy();
  });

  it("keeps its files when its caption is edited, also to nothing", async () => {
    const attachments = [aPicture("a")];
    add({ text: "From the lake", attachments }, true);
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "From the lake", "Edit");
    const field = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
    expect(screen.queryByRole("button", { name: "Attach" })).toBeNull();
    await user.clear(field);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(
        received
          .filter(({ method, path }) => method === "PUT" && path.startsWith("/messages/"))
          .map(({ body }) => body),
      ).toMatchObject([{ text: "Photo: a.webp" }]),
    );
    expect((await log()).getByRole("button", { name: "Photo from you: a.webp" })).toBeTruthy();
  });

  it("leaves no draft when the server refuses to empty its caption", async () => {
    server.use(refuse(editMessage, 409, CHANGED_MEANWHILE));
    add({ text: "From the lake", attachments: [aPicture("a")] }, true);
    const { user } = renderChat({ path: "/home/bob" });
    await choose(user, "From the lake", "Edit");
    const field = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
    await user.clear(field);
    await user.keyboard("{Enter}");
    expect(await screen.findByText(CHANGED_MEANWHILE)).toBeTruthy();
    expect(field.value).toBe("");
  });

  it("offers to load a picture again that could not be loaded", async () => {
    add({ text: "From the lake", attachments: [aPicture("a")] });
    const { user } = renderChat({ path: "/home/bob" });
    const tile = await (await log()).findByRole("button", { name: "Photo from Bob: a.webp" });
    fireEvent.error(tile.querySelector("img") as Element);
    expect(tile.getAttribute("aria-label")).toBe("Photo from Bob: a.webp. It could not be loaded. Try again");
    expect(tile.querySelector("img")).toBeNull();
    await user.click(tile);
    fireEvent.load(tile.querySelector("img") as Element);
    expect(tile.getAttribute("aria-label")).toBe("Photo from Bob: a.webp");
  });
});

describe("the viewer", () => {
  it("shows the pictures of the thread by keyboard, and returns the focus", async () => {
    add({ text: "From the lake", attachments: [aPicture("a")] });
    add({ text: "From the hills", attachments: [aPicture("b"), aPicture("c")] }, true);
    const { user } = renderChat({ path: "/home/bob" });
    const tile = await (await log()).findByRole("button", { name: "Photo 1 of 2 from you: b.webp" });
    tile.focus();
    await user.keyboard("{Enter}");
    const viewer = within(await screen.findByRole("dialog", { name: "b.webp" }));
    expect(viewer.getByRole("img", { name: "Photo from you: b.webp" })).toBeTruthy();
    expect(viewer.getByText("Photo 2 of 3")).toBeTruthy();
    expect(viewer.getByText("From the hills")).toBeTruthy();
    expect(viewer.getByRole("link", { name: "Download" }).getAttribute("href")).toBe("/messageoh/media/b/file");
    await user.keyboard("{ArrowLeft}");
    expect(screen.getByRole("dialog", { name: "a.webp" })).toBeTruthy();
    await user.keyboard("{ArrowLeft}{ArrowRight}{ArrowRight}");
    expect(screen.getByRole("dialog", { name: "c.webp" })).toBeTruthy();
    expect(viewer.queryByRole("button", { name: "Next photo" })).toBeNull();
    await user.click(viewer.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(tile);
  });

  it("closes when its only picture is deleted", async () => {
    add({ text: "From the lake", attachments: [aPicture("a")] });
    const chat = renderChat({ path: "/home/bob" });
    await chat.user.click(await (await log()).findByRole("button", { name: "Photo from Bob: a.webp" }));
    await screen.findByRole("dialog", { name: "a.webp" });
    const [message] = data.messages.slice(-1);
    const deleted_at = new Date().toISOString();
    await chat.receive((handlers) =>
      handlers.message_changed({ message: { ...(message ?? aMessage()), text: "deleted", deleted_at, change: 1 } }),
    );
    await act(async () => undefined);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
