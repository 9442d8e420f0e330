import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { anAttachment, WITH_BOB } from "../../../testing/builders.ts";
import { type FakeMicrophone, fakeMicrophone } from "../../../testing/fakeMicrophone.ts";
import { fakePlayer } from "../../../testing/fakePlayer.ts";
import { renderChat } from "../../../testing/renderChat.tsx";
import { choose } from "../../../testing/rows.ts";
import { startChatServer } from "../../../testing/server.ts";
import type { QueuedFile } from "../../outbox/queuedMessage.ts";
import { barsOf } from "./wave.ts";

startChatServer();
let microphone: FakeMicrophone;
let uploaded: QueuedFile[];
/** Time of the page, in milliseconds. */
let now = 0;
beforeEach(() => {
  localStorage.clear();
  microphone = fakeMicrophone();
  uploaded = [];
  now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  URL.createObjectURL = () => "blob:file";
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => jest.restoreAllMocks());

const button = (name: string) => screen.findByRole("button", { name });
const recorder = () => screen.queryByRole("group", { name: "Voice message" });
/** Lets time pass until the recorder shows it. */
async function record(seconds: number, label: string): Promise<void> {
  await act(async () => {
    now += seconds * 1_000;
  });
  await waitFor(() => expect(screen.getByRole("timer").textContent).toBe(label));
}

async function opened(upload?: Promise<void>) {
  const chat = renderChat({
    path: "/home/bob",
    lastSeq: 3,
    async uploadFile(_, file) {
      uploaded.push(file);
      await upload;
      return anAttachment({ id: "voice", kind: "audio", name: file.name });
    },
  });
  await screen.findByRole("log");
  await chat.connect();
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Message...");
  return { ...chat, field, sent: () => chat.payloads("send_message") };
}

async function recording(upload?: Promise<void>) {
  const chat = await opened(upload);
  await chat.user.click(await button("Record a voice message"));
  await button("Pause");
  return chat;
}

it("sends what was recorded, with its length and wave, without the time of a pause", async () => {
  const { user, sent } = await recording();
  microphone.level = 0.5;
  expect(screen.getByText("Recording")).toBeTruthy();
  const pause = await button("Pause");
  // The loudness up to the pause has not been measured yet.
  act(() => {
    now += 2_000;
    pause.click();
  });
  expect(screen.getByText("Paused")).toBeTruthy();
  await record(60, "0:02");
  await user.click(await button("Go on recording"));
  microphone.level = 0.25;
  await record(2, "0:04");
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["voice"] }]));
  const [file] = uploaded;
  expect(file).toMatchObject({ type: "audio/webm", seconds: 4, bytes: 5 });
  expect(file?.name).toMatch(/^Voice message \d{4}-\d\d-\d\d .*\.webm$/);
  const bars = barsOf(file?.wave ?? "");
  expect([bars[0], Math.round((bars[63] ?? 0) * 10)]).toEqual([1, 5]);
  expect(microphone.isOn()).toBe(false);
  expect(recorder()).toBeNull();
  expect(document.activeElement).toBe(await button("Record a voice message"));
});

it("sends the recording without the draft that another device saves meanwhile, which stays", async () => {
  const { user, field, sent, receive } = await recording();
  await record(2, "0:02");
  await receive((handlers) => handlers.draft_saved({ thread_id: WITH_BOB, draft: { text: "Buy milk", rev: 1 } }));
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["voice"] }]));
  expect(field.value).toBe("Buy milk");
  expect(localStorage.getItem(`messageoh:draft:me:${WITH_BOB}`)).toBe("Buy milk");
});

it("sends nothing and says so if the browser has recorded nothing", async () => {
  const { user, sent } = await recording();
  microphone.sound = "";
  await record(2, "0:02");
  await user.click(await button("Send voice message"));
  expect(await screen.findByText("Nothing was recorded. Please try again.")).toBeTruthy();
  expect([uploaded, sent()]).toEqual([[], []]);
  expect(recorder()).toBeNull();
});

it("is offered only for an empty message", async () => {
  const { user } = await opened();
  await button("Record a voice message");
  await user.type(screen.getByLabelText("Message..."), "h");
  expect(screen.queryByRole("button", { name: "Record a voice message" })).toBeNull();
});

it("is not offered without a recorder", async () => {
  Object.assign(globalThis, { MediaRecorder: undefined });
  await opened();
  expect(screen.queryByRole("button", { name: "Record a voice message" })).toBeNull();
});

it("is not offered if the browser records no format", async () => {
  Object.assign(MediaRecorder, { isTypeSupported: () => false });
  await opened();
  expect(screen.queryByRole("button", { name: "Record a voice message" })).toBeNull();
});

it("throws a recording of less than a second away on Esc, without a question", async () => {
  const { user, shell, sent } = await recording();
  await user.keyboard("{Escape}");
  expect(recorder()).toBeNull();
  await waitFor(() => expect(microphone.isOn()).toBe(false));
  expect(document.activeElement).toBe(await button("Record a voice message"));
  expect([shell.path, sent()]).toEqual(["/home/bob", []]);
});

it("goes on if Esc belongs to an input method", async () => {
  await recording();
  fireEvent.keyDown(await button("Pause"), { key: "Escape", isComposing: true });
  expect(recorder()).not.toBeNull();
});

it("asks before it throws a longer one away, and pauses meanwhile", async () => {
  const { user, sent } = await recording();
  await record(2, "0:02");
  await user.keyboard("{Escape}");
  await screen.findByRole("dialog", { name: "Discard this voice message?" });
  await user.click(await button("Keep"));
  expect(screen.getByText("Paused")).toBeTruthy();
  await user.click(await button("Cancel"));
  await user.click(await button("Discard"));
  await waitFor(() => expect(microphone.isOn()).toBe(false));
  expect(recorder()).toBeNull();
  expect(screen.queryByRole("list", { name: "Files to send" })).toBeNull();
  expect(sent()).toEqual([]);
});

it("keeps the recording and the reply when Esc closes the question", async () => {
  const { user } = await opened();
  await choose(user, "Gladly", "Reply");
  await user.click(await button("Record a voice message"));
  await button("Pause");
  await record(2, "0:02");
  await user.keyboard("{Escape}");
  await screen.findByRole("dialog", { name: "Discard this voice message?" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(recorder()).not.toBeNull();
  expect(await button("Cancel reply")).toBeTruthy();
});

it.each([
  ["NotAllowedError", /^The microphone is blocked/],
  ["NotFoundError", /^No microphone was found/],
  ["OverconstrainedError", /^No microphone was found/],
  ["NotReadableError", /^Another program uses the microphone/],
  ["AbortError", /^The microphone could not be used/],
])("says so calmly if the microphone is refused with %s", async (refusal, text) => {
  microphone.refusal = refusal;
  const { user } = await opened();
  await user.click(await button("Record a voice message"));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(recorder()).toBeNull();
});

it("pauses for good after 15 minutes, and can be sent", async () => {
  const { user, sent } = await recording();
  await record(900, "15:00");
  expect(await screen.findByText(/at most 15 minutes/)).toBeTruthy();
  const resume = await button("Go on recording");
  expect([resume.getAttribute("aria-disabled"), document.activeElement]).toEqual(["true", resume]);
  await user.keyboard("{Enter}");
  expect(resume).toHaveProperty("disabled", false);
  expect(screen.getByRole("timer").textContent).toBe("15:00");
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(uploaded[0]?.seconds).toBe(900);
});

it("keeps what was recorded when the microphone is unplugged", async () => {
  const { user, sent } = await recording();
  await record(3, "0:03");
  act(() => microphone.unplug());
  expect((await button("Go on recording")).getAttribute("aria-disabled")).toBe("true");
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toHaveLength(1));
});

it("sounds no longer when its upload is cancelled", async () => {
  fakePlayer();
  const { user } = await recording(new Promise(() => undefined));
  await record(3, "0:03");
  await user.click(await button("Send voice message"));
  await user.click(await button("Play voice message, 0:03"));
  const audio = document.querySelector("audio");
  await waitFor(() => expect(audio?.paused).toBe(false));
  await user.click(await button("Cancel"));
  expect(screen.queryByRole("slider", { name: "Position" })).toBeNull();
  expect(audio?.paused).toBe(true);
});

it("is forgotten by the player when the chat is closed, because another user may log in", async () => {
  fakePlayer();
  const revoke = jest.spyOn(URL, "revokeObjectURL");
  const { user } = await recording(new Promise(() => undefined));
  await record(3, "0:03");
  await user.click(await button("Send voice message"));
  await user.click(await button("Play voice message, 0:03"));
  const audio = document.querySelector("audio");
  await waitFor(() => expect(audio?.getAttribute("src")).toBe("blob:file"));
  revoke.mockClear();
  cleanup();
  expect([audio?.getAttribute("src"), audio?.paused]).toEqual([null, true]);
  expect(revoke).toHaveBeenCalledWith("blob:file");
});

it("goes on with an edit that was begun meanwhile, when it is sent", async () => {
  const { user, field, sent } = await opened();
  await user.type(field, "Hello{Enter}");
  await waitFor(() => expect(sent()).toHaveLength(1));
  await user.click(await button("Record a voice message"));
  await record(3, "0:03");
  await choose(user, "Hello", "Edit");
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(screen.getByText("Edit message")).toBeTruthy();
});

it("takes no files that are dropped on the thread meanwhile", async () => {
  const { user, sent } = await recording();
  await record(3, "0:03");
  const pane = screen.getByRole("region", { name: "Thread with Bob" });
  const files = Array.from({ length: 10 }, (_, index) => new File(["text"], `${index}.txt`, { type: "text/plain" }));
  const dataTransfer = { types: ["Files"], files, dropEffect: "none" };
  fireEvent.dragEnter(pane, { dataTransfer });
  expect(screen.queryByText(/^Drop files to send them/)).toBeNull();
  // The shell refuses it.
  expect(fireEvent.drop(pane, { dataTransfer })).toBe(true);
  await user.click(await button("Send voice message"));
  await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["voice"] }]));
});

it("waits among the chosen files when the thread is left", async () => {
  const { user, sent } = await recording();
  await record(3, "0:03");
  await user.click(screen.getByRole("link", { name: /^Cleo/ }));
  await waitFor(() => expect(microphone.isOn()).toBe(false));
  await user.click(screen.getByRole("link", { name: /^Bob/ }));
  expect((await screen.findByRole("list", { name: "Files to send" })).textContent).toContain("Voice message");
  await user.click(await button("Send"));
  await waitFor(() => expect(sent()).toMatchObject([{ attachments: ["voice"] }]));
});
