import { ApiError } from "@messageoh/contracts/client";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { anAttachment, WITH_BOB } from "../../../testing/builders.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose } from "../../../testing/rows.ts";
import { startChatServer } from "../../../testing/server.ts";
import type { UploadFile } from "../../outbox/uploads.ts";

startChatServer();
// jsdom reads its files in no other way.
Object.getPrototypeOf(File.prototype).arrayBuffer = function (this: Blob) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as ArrayBuffer);
    reader.readAsArrayBuffer(this);
  });
};
beforeEach(() => {
  localStorage.clear();
  // jsdom has no object URLs. The pages of these tests have no storage for files.
  URL.createObjectURL = () => "blob:file";
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

const aFile = (name: string, text = "text") => new File([text], name, { type: "text/plain" });
/** Returns a file that is prepared only when the test says so. */
function aSlowFile(name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
  const file = Object.assign(aFile(name), { slice: () => ({ arrayBuffer: () => promise }) });
  return { file, isReady: () => resolve(new ArrayBuffer(1)), isUnreadable: () => reject(new Error("It is gone")) };
}
const FIRST_TEXT = "Shall we meet Bobby the Fox tomorrow?";
const composer = () => screen.findByLabelText<HTMLTextAreaElement>("Message...");
const log = () => within(screen.getByRole("log"));
/** Returns the chosen files when all can be sent. */
async function tray(): Promise<HTMLElement> {
  const list = await screen.findByRole("list", { name: "Files to send" });
  await waitFor(() => expect(within(list).queryByText(/^Preparing/)).toBeNull());
  return list;
}
const upload: UploadFile = async (_, { name }) => anAttachment({ id: name, name });

async function opened(uploadFile: UploadFile = upload) {
  const chat = renderChat({ path: "/home/bob", lastSeq: 3, uploadFile });
  const field = await composer();
  await screen.findByRole("log");
  await chat.connect();
  const input = document.querySelector<HTMLInputElement>("input[type=file]") as HTMLInputElement;
  const attach = (...files: File[]) => fireEvent.change(input, { target: { files } });
  return { ...chat, field, attach, sent: () => chat.payloads("send_message") };
}

describe("attaching files", () => {
  it("shows them above the text, and sends them with it when they are uploaded", async () => {
    const { user, attach, field, sent } = await opened();
    attach(aFile("a.txt"), aFile("b.txt", "longer text"));
    const list = within(await tray());
    expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["a.txt4 B", "b.txt11 B"]);
    expect(document.activeElement).toBe(field);
    await user.keyboard("For you{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "For you", attachments: ["a.txt", "b.txt"] }]));
    expect(screen.queryByRole("list", { name: "Files to send" })).toBeNull();
    expect(field.value).toBe("");
  });

  it("replies with them to the message of the bar, and keeps what begins while they are prepared", async () => {
    const { user, attach, sent } = await opened();
    const { file, isReady } = aSlowFile("a.txt");
    await choose(user, "Gladly", "Reply");
    attach(file);
    await screen.findByRole("list", { name: "Files to send" });
    await user.keyboard("{Enter}");
    await choose(user, FIRST_TEXT, "Reply");
    isReady();
    await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["a.txt"], reply_to: 2 }]));
    const form = (await composer()).closest("form") as HTMLElement;
    expect(within(form).getByText(FIRST_TEXT)).toBeTruthy();
  });

  it("leaves an edit alone that begins while they are prepared", async () => {
    const { user, attach, field, sent } = await opened();
    await user.type(field, "Hello{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    const { file, isReady } = aSlowFile("a.txt");
    attach(file);
    await screen.findByRole("list", { name: "Files to send" });
    await user.keyboard("{Enter}");
    await choose(user, "Hello", "Edit");
    isReady();
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(screen.getByText("Edit message")).toBeTruthy();
    expect(field.value).toBe("Hello");
  });

  it("shows the message at once while they are prepared, holds no text back, and is cancelled by its button", async () => {
    const { user, attach, sent } = await opened();
    const { file, isReady } = aSlowFile("a.txt");
    attach(file);
    await screen.findByRole("list", { name: "Files to send" });
    await user.keyboard("The plan{Enter}");
    expect(log().getByText("The plan")).toBeTruthy();
    expect(screen.getByText("Waiting")).toBeTruthy();
    await user.keyboard("a text{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "a text" }]));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(log().queryByText("The plan")).toBeNull();
    isReady();
    await user.keyboard("another{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "a text" }, { text: "another" }]));
  });

  it("says which file of a message that was sent cannot be read, and keeps its text", async () => {
    const { user, attach } = await opened();
    const { file, isUnreadable } = aSlowFile("a.txt");
    attach(file, aFile("b.txt"));
    await screen.findByRole("list", { name: "Files to send" });
    await user.keyboard("The plan{Enter}");
    isUnreadable();
    expect(await screen.findByText("Not sent: “\u2068a.txt\u2069” cannot be read, so it cannot be sent.")).toBeTruthy();
    expect(log().getByText("The plan")).toBeTruthy();
  });

  it("sends files without a text under their names", async () => {
    const { user, attach, sent } = await opened();
    attach(aFile("a.txt"));
    await tray();
    await user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(sent()).toMatchObject([{ text: "File: a.txt", attachments: ["a.txt"] }]));
  });

  it("removes one by its button", async () => {
    const { user, attach, field } = await opened();
    attach(aFile("a.txt"), aFile("b.txt"));
    const list = within(await tray());
    await user.click(list.getByRole("button", { name: "Remove a.txt" }));
    expect(list.getAllByRole("listitem")).toHaveLength(1);
    expect(document.activeElement).toBe(field);
    await user.click(list.getByRole("button", { name: "Remove b.txt" }));
    expect(screen.queryByRole("list", { name: "Files to send" })).toBeNull();
  });

  it("says why files cannot be sent", async () => {
    const { attach } = await opened();
    attach(...Array.from({ length: 11 }, (_, index) => aFile(`${index}.txt`)));
    expect(await screen.findByText("A message has at most 10 files. Send the others in another message.")).toBeTruthy();
    expect(screen.queryByRole("list", { name: "Files to send" })).toBeNull();
  });

  it("takes pasted files, but pastes a text that comes with a picture", async () => {
    const { field } = await opened();
    const paste = (types: string[]) => fireEvent.paste(field, { clipboardData: { types, files: [aFile("a.txt")] } });
    expect(paste(["text/plain", "text/html", "Files"])).toBe(true);
    expect(paste(["Files"])).toBe(false);
    expect(within(await tray()).getAllByRole("listitem")).toHaveLength(1);
  });

  it.each([
    ["an edit", "Edit"],
    ["a selection", "Select"],
  ])("takes no dropped files during %s, which hides them", async (_, action) => {
    const { user, field } = await opened();
    await user.type(field, "Hello{Enter}");
    await choose(user, "Hello", action);
    const pane = screen.getByRole("region", { name: "Thread with Bob" });
    const dataTransfer = { types: ["Files"], files: [aFile("a.txt")], dropEffect: "none" };
    fireEvent.dragEnter(pane, { dataTransfer });
    expect(screen.queryByText("Drop files to send them to")).toBeNull();
    // The shell refuses it.
    expect(fireEvent.drop(pane, { dataTransfer })).toBe(true);
  });

  it("takes files that are dropped on the thread, and no other drag", async () => {
    await opened();
    const pane = screen.getByRole("region", { name: "Thread with Bob" });
    const hint = () => screen.queryByText(/^Drop files to send them/) !== null;
    fireEvent.dragEnter(pane, { dataTransfer: { types: ["text/plain"] } });
    expect(hint()).toBe(false);
    const dataTransfer = { types: ["Files"], files: [aFile("a.txt")], dropEffect: "none" };
    fireEvent.dragEnter(pane, { dataTransfer });
    expect(hint()).toBe(true);
    fireEvent.dragLeave(pane, { dataTransfer });
    expect(hint()).toBe(false);
    fireEvent.dragEnter(pane, { dataTransfer });
    expect(fireEvent.dragOver(pane, { dataTransfer })).toBe(false);
    expect(fireEvent.drop(pane, { dataTransfer })).toBe(false);
    expect(hint()).toBe(false);
    expect(within(await tray()).getAllByRole("listitem")).toHaveLength(1);
  });

  it("hides the hint of dragged files when they leave, also if what they entered is gone by then", async () => {
    const { receive } = await opened();
    const pane = screen.getByRole("region", { name: "Thread with Bob" });
    const hint = () => screen.queryByText(/^Drop files to send them/) !== null;
    const typing = (is_typing: boolean) =>
      receive((handlers) => handlers.typing({ thread_id: WITH_BOB, user_id: "bob", is_typing }));
    const dataTransfer = { types: ["Files"], files: [aFile("a.txt")], dropEffect: "none" };
    await typing(true);
    fireEvent.dragEnter(pane, { dataTransfer });
    fireEvent.dragEnter(await screen.findByText(/is typing/), { dataTransfer });
    fireEvent.dragLeave(pane, { dataTransfer });
    await typing(false);
    // The browser tells nobody that they leave what is gone.
    expect(screen.queryByText(/is typing/)).toBeNull();
    fireEvent.dragEnter(pane, { dataTransfer });
    expect(hint()).toBe(true);
    fireEvent.dragLeave(pane, { dataTransfer });
    expect(hint()).toBe(false);
  });

  it("hides the hint of dragged files when an edit begins meanwhile, also after the edit", async () => {
    const { user, field } = await opened();
    await user.type(field, "Hello{Enter}");
    const pane = screen.getByRole("region", { name: "Thread with Bob" });
    const hint = () => screen.queryByText(/^Drop files to send them/) !== null;
    const dataTransfer = { types: ["Files"], files: [aFile("a.txt")], dropEffect: "none" };
    fireEvent.dragEnter(pane, { dataTransfer });
    expect(hint()).toBe(true);
    await user.keyboard("{ArrowUp}");
    expect(field.value).toBe("Hello");
    expect(hint()).toBe(false);
    fireEvent.dragLeave(pane, { dataTransfer });
    await user.keyboard("{Escape}");
    expect(hint()).toBe(false);
  });

  it("keeps the chosen files of a thread while another one is open", async () => {
    const { user, attach } = await opened();
    attach(aFile("a.txt"));
    await tray();
    await user.click(await screen.findByRole("link", { name: /^Cleo/ }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Files to send" })).toBeNull());
    await user.click(screen.getByRole("link", { name: /^Bob/ }));
    expect(within(await tray()).getAllByRole("listitem")).toHaveLength(1);
  });
});

describe("an upload", () => {
  it("shows its progress, holds no text back, and is cancelled by its button", async () => {
    let signal: AbortSignal | undefined;
    const { user, attach, sent } = await opened((_, __, watch) => {
      signal = watch.signal;
      watch.onProgress(3);
      return new Promise(() => undefined);
    });
    attach(aFile("a.txt"));
    await tray();
    await user.keyboard("{Enter}");
    const progress = await screen.findByRole("progressbar", { name: "Upload" });
    expect(progress).toHaveProperty("value", 0.75);
    expect(screen.getByText("75 %")).toBeTruthy();
    await user.keyboard("a text{Enter}");
    await waitFor(() => expect(sent()).toMatchObject([{ text: "a text" }]));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(screen.getByText("Upload cancelled")).toBeTruthy();
    expect(signal?.aborted).toBe(true);
  });

  it("shows the reason of the server, and is sent after a retry", async () => {
    let isRefused = true;
    const { user, attach, sent } = await opened(async (...upload_) => {
      if (isRefused) throw new ApiError(422, "This file contains malware");
      return upload(...upload_);
    });
    attach(aFile("a.txt"));
    await tray();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Not sent: This file contains malware")).toBeTruthy();
    isRefused = false;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["a.txt"] }]));
  });

  it("leaves the focus to the composer when it is sent again", async () => {
    const { user, attach } = await opened(async () => {
      throw new ApiError(422, "This file contains malware");
    });
    attach(aFile("a.txt"));
    await tray();
    await user.keyboard("{Enter}");
    (await screen.findByRole("button", { name: "Retry" })).focus();
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(screen.getByLabelText("Message..."));
  });
});
