import { type Attachment, textWithoutCaption } from "@messageoh/contracts/attachments";
import type { Message } from "@messageoh/contracts/messages";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { aMessage, anAttachment } from "../../../testing/builders.ts";
import { fakePlayer } from "../../../testing/fakePlayer.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { type ServerData, someData, startChatServer } from "../../../testing/server.ts";

let data: ServerData;
startChatServer(() => data);
beforeEach(() => {
  localStorage.clear();
  data = someData();
  fakePlayer();
});

const aVoice = (id: string, seconds: number): Attachment =>
  anAttachment({ id, kind: "audio", name: `${id}.webm`, type: "audio/webm", seconds, wave: btoa("\x10".repeat(64)) });

/** The player of the page remembers what it has played, also in the next test. */
let added = 0;
function add(...attachments: Attachment[]): void {
  const seq = data.messages.length + 1;
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  added += 1;
  const id = `message-${added}`;
  data.messages = [
    ...data.messages,
    aMessage({ id, seq, timestamp, text: textWithoutCaption(attachments), attachments }),
  ];
}

async function opened() {
  const chat = renderChat({ path: "/home/bob" });
  await screen.findByRole("button", { name: /^Play voice message, 0:12/ });
  return chat;
}
const row = (id: number) =>
  within(screen.getAllByRole("slider", { name: "Position" })[id]?.closest("article") as HTMLElement);
const audio = () => document.querySelector("audio") as HTMLAudioElement;
const happens = (name: string, position?: number) =>
  act(async () => {
    if (position !== undefined) audio().currentTime = position;
    fireEvent(audio(), new Event(name));
  });

it("plays, shows the position, and pauses", async () => {
  add(aVoice("first", 12));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: "Play voice message, 0:12" }));
  await waitFor(() => expect(audio().paused).toBe(false));
  expect(audio().getAttribute("src")).toBe("/messageoh/media/first/view");
  await happens("timeupdate", 3);
  expect(row(0).getByText("0:03 / 0:12")).toBeTruthy();
  expect(row(0).getByRole("slider").getAttribute("aria-valuetext")).toBe("0:03 of 0:12");
  await user.click(row(0).getByRole("button", { name: "Pause" }));
  expect(audio().paused).toBe(true);
  expect(row(0).getByRole("button", { name: "Play voice message, 0:12" })).toBeTruthy();
});

it("moves the position by keyboard", async () => {
  add(aVoice("first", 12));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  act(() => row(0).getByRole("slider").focus());
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}{ArrowUp}");
  expect(audio().currentTime).toBe(2);
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  expect(audio().currentTime).toBe(0);
});

it("plays one at a time, and then the next one of the thread", async () => {
  add(aVoice("first", 12));
  data.messages = [...data.messages, aMessage({ seq: 5, text: "A text", timestamp: new Date().toISOString() })];
  add(aVoice("second", 70));
  const { user } = await opened();
  await user.click(row(1).getByRole("button", { name: "Play voice message, 1:10" }));
  await waitFor(() => expect(audio().getAttribute("src")).toBe("/messageoh/media/second/view"));
  await user.click(row(0).getByRole("button", { name: "Play voice message, 0:12" }));
  await waitFor(() => expect(audio().getAttribute("src")).toBe("/messageoh/media/first/view"));
  expect(row(1).getByRole("button", { name: "Play voice message, 1:10" })).toBeTruthy();
  await happens("ended");
  await waitFor(() => expect(audio().getAttribute("src")).toBe("/messageoh/media/second/view"));
  expect(row(1).getByRole("button", { name: "Pause" })).toBeTruthy();
  await happens("ended");
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

it("changes the speed of all voice messages", async () => {
  add(aVoice("first", 12));
  add(aVoice("second", 70));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  const speeds = [];
  for (const speed of [1, 1.5, 2]) {
    await user.click(row(0).getByRole("button", { name: `Speed ${speed}×` }));
    speeds.push(audio().playbackRate);
  }
  expect(speeds).toEqual([1.5, 2, 1]);
  await user.click(row(0).getByRole("button", { name: "Speed 1×" }));
  const other = row(1).getByRole("button", { name: "Speed 1.5×" });
  await user.dblClick(other);
  expect(row(0).getByRole("button", { name: "Speed 1×" })).toBeTruthy();
});

it("says so if it cannot be played, and tries again", async () => {
  add(aVoice("first", 12));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  await happens("error");
  expect(row(0).getByRole("alert").textContent).toBe("It could not be played.");
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  await waitFor(() => expect(row(0).queryByRole("alert")).toBeNull());
});

it("stops when the friend deletes its message", async () => {
  add(aVoice("first", 12));
  const { user, receive } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  await waitFor(() => expect(audio().paused).toBe(false));
  const gone = { text: "deleted", attachments: undefined, deleted_at: new Date().toISOString(), change: 1 };
  await receive((handlers) => handlers.message_changed({ message: { ...(data.messages[3] as Message), ...gone } }));
  expect(screen.queryByRole("slider", { name: "Position" })).toBeNull();
  expect(audio().paused).toBe(true);
});

it("stops when the user deletes its message for themselves", async () => {
  add(aVoice("first", 12));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  await waitFor(() => expect(audio().paused).toBe(false));
  await user.click(row(0).getByRole("button", { name: "Message actions" }));
  await user.click(screen.getByRole("menuitem", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete for me" }));
  await waitFor(() => expect(screen.queryByRole("slider", { name: "Position" })).toBeNull());
  expect(audio().paused).toBe(true);
});

it("stops when its thread is left", async () => {
  add(aVoice("first", 12));
  const { user } = await opened();
  await user.click(row(0).getByRole("button", { name: /^Play/ }));
  const { parentElement } = audio();
  expect(parentElement).toBe(screen.getByRole("region", { name: "Thread with Bob" }));
  await user.click(screen.getByRole("link", { name: /^Cleo/ }));
  await waitFor(() => expect(audio()).toBeNull());
});

it("is named by its length in the list of friends", async () => {
  add(aVoice("first", 12));
  renderChat();
  expect((await screen.findByRole("link", { name: /^Bob/ })).textContent).toContain("Voice message 0:12");
});

it("is a file to download, with a sentence, where the browser cannot play it", async () => {
  fakePlayer((type) => type !== "audio/webm");
  add(aVoice("first", 12));
  renderChat({ path: "/home/bob" });
  expect(await screen.findByText("This browser cannot play this recording.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download first.webm" })).toBeTruthy();
  expect(screen.queryByRole("slider")).toBeNull();
});
