import { ApiError } from "@messageoh/contracts/client";
import { TEXT_MAX_CHARACTERS } from "@messageoh/contracts/limits";
import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { WITH_BOB } from "../testing/builders.ts";

const PAUSE_MS = 1_500;

describe("drafts on all devices", () => {
  fakeTimersWithoutWarnings();

  async function opened(prepare?: (chat: ReturnType<typeof aChat>) => void) {
    const chat = aChat({ friendId: "bob" });
    prepare?.(chat);
    await chat.begin();
    await chat.connect();
    const saved = () => chat.server.calls.filter((call) => call.startsWith("draft "));
    const type = (text: string) => chat.chat.messages.saveDraft(WITH_BOB, text);
    const draft = () => chat.chat.messages.draftOf(WITH_BOB);
    const receive = (text: string, rev: number) =>
      chat.handlers().draft_saved({ thread_id: WITH_BOB, draft: { text, rev } });
    const nonce = () => chat.chat.store.get().threads.get(WITH_BOB)?.draftNonce;
    return { ...chat, saved, type, draft, receive, nonce };
  }

  it("are saved once when typing pauses", async () => {
    const { type, saved, draft } = await opened();
    for (const text of ["H", "He", "Hey"]) {
      type(text);
      await settle(PAUSE_MS - 100);
    }
    expect(saved()).toEqual([]);
    await settle(100);
    expect(saved()).toEqual(["draft Hey"]);
    expect(draft()).toBe("Hey");
  });

  it.each([
    [
      "the page is hidden",
      (chat: Awaited<ReturnType<typeof opened>>) => {
        chat.page.isVisible = false;
        chat.listeners().onVisibility();
      },
    ],
    ["the thread is left", ({ chat }: Awaited<ReturnType<typeof opened>>) => chat.openFriend(undefined)],
  ])("are saved at once when %s", async (_, leave) => {
    const chat = await opened();
    chat.type("Hey");
    leave(chat);
    await settle();
    expect(chat.saved()).toEqual(["draft Hey"]);
  });

  it("are not saved again if the text is back at what the server has", async () => {
    const { type, saved } = await opened();
    type("Hey");
    await settle(PAUSE_MS);
    type("Hey!");
    type("Hey");
    await settle(PAUSE_MS);
    expect(saved()).toEqual(["draft Hey"]);
  });

  it("are removed on the server when the message is sent, if they were saved", async () => {
    const { chat, type, saved } = await opened();
    type("Quick");
    chat.messages.send(WITH_BOB, "Quick");
    await settle(PAUSE_MS);
    expect(saved()).toEqual([]);
    type("Slow");
    await settle(PAUSE_MS);
    chat.messages.send(WITH_BOB, "Slow");
    await settle();
    expect(saved()).toEqual(["draft Slow", "draft "]);
  });

  it("of another device replace the text of this one, and go when they are sent there", async () => {
    const { receive, draft, nonce, saved, chat } = await opened();
    receive("From the phone", 1);
    expect([draft(), nonce()]).toEqual(["From the phone", 1]);
    expect(chat.store.get().draftIn.has(WITH_BOB)).toBe(true);
    receive("", 2);
    expect([draft(), nonce()]).toEqual(["", 2]);
    expect(chat.store.get().draftIn.has(WITH_BOB)).toBe(false);
    await settle(PAUSE_MS);
    expect(saved()).toEqual([]);
  });

  it("of another device do not replace what is being typed, which is saved and wins", async () => {
    const { receive, type, draft, nonce, saved, server } = await opened();
    server.draft = { text: "From the phone", rev: 4 };
    type("Being typed");
    receive("From the phone", 4);
    expect([draft(), nonce()]).toEqual(["Being typed", 0]);
    await settle(PAUSE_MS);
    expect(saved()).toEqual(["draft Being typed"]);
    expect(draft()).toBe("Being typed");
    receive("Later", 6);
    expect(draft()).toBe("Later");
  });

  it("that are older than the one on this device change nothing", async () => {
    const { receive, draft } = await opened();
    receive("New", 5);
    receive("Old", 4);
    expect(draft()).toBe("New");
  });

  it("wait for the network, and only the last one is saved", async () => {
    const { type, saved, page, listeners } = await opened();
    page.isOnline = false;
    listeners().onNetwork();
    for (const text of ["One", "Two"]) {
      type(text);
      await settle(PAUSE_MS);
    }
    page.isOnline = true;
    listeners().onNetwork();
    await settle();
    expect(saved()).toEqual(["draft Two"]);
  });

  it("of a visit before are saved, unless another device has saved one since", async () => {
    const { saved, draft } = await opened(({ values }) => values.set(`messageoh:draft:me:${WITH_BOB}`, "Yesterday"));
    await settle();
    expect([saved(), draft()]).toEqual([["draft Yesterday"], "Yesterday"]);

    const other = await opened(({ values, server }) => {
      values.set(`messageoh:draft:me:${WITH_BOB}`, "Yesterday");
      values.set(`messageoh:draft-rev:me:${WITH_BOB}`, "1");
      server.draft = { text: "From the phone", rev: 2 };
    });
    await settle();
    expect([other.saved(), other.draft()]).toEqual([[], "From the phone"]);
  });

  it("of blanks are not marked, also after a reload", async () => {
    const { type, chat } = await opened();
    type(" ");
    await settle(PAUSE_MS);
    expect(chat.store.get().draftIn.has(WITH_BOB)).toBe(false);

    const later = await opened(({ values, server }) => {
      values.set(`messageoh:draft:me:${WITH_BOB}`, " ");
      values.set(`messageoh:draft-rev:me:${WITH_BOB}`, "1");
      server.draft = { text: " ", rev: 1 };
    });
    expect(later.chat.store.get().draftIn.has(WITH_BOB)).toBe(false);
  });

  it.each([
    ["are longer than a message", "a".repeat(TEXT_MAX_CHARACTERS + 1)],
    ["contain half an emoji", "\ud83e"],
    ["contain a NUL character", "\0"],
  ])("that %s stay on this device", async (_, text) => {
    const { type, saved, draft } = await opened();
    type(text);
    await settle(PAUSE_MS);
    expect([saved(), draft()]).toEqual([[], text]);
  });

  it("that wait for the network are removed with the session", async () => {
    const { chat, type, values, server, page, listeners } = await opened();
    server.status = 503;
    type("Private");
    page.isOnline = false;
    listeners().onNetwork();
    await settle(PAUSE_MS);
    expect([...values.values()].some((value) => value.includes("Private"))).toBe(true);
    await chat.account.logOut();
    expect([...values.values()].some((value) => value.includes("Private"))).toBe(false);
  });

  it("that the server has saved are removed with the session while a later one waits", async () => {
    const { chat, type, values, page, listeners } = await opened();
    type("Private");
    await settle(PAUSE_MS);
    page.isOnline = false;
    listeners().onNetwork();
    type("Private too");
    await settle(PAUSE_MS);
    chat.account.logOut();
    expect([...values.keys()]).toEqual([]);
  });

  it("that are being saved at the log-out leave nothing on the device", async () => {
    const { chat, type, values, saved, server } = await opened();
    let respond: () => void = () => undefined;
    server.held = new Promise((resolve) => {
      respond = resolve;
    });
    type("Private");
    await settle(PAUSE_MS);
    expect(saved()).toEqual(["draft Private"]);
    chat.account.logOut();
    chat.stop();
    respond();
    await settle();
    expect([...values.keys()]).toEqual([]);
  });

  it("of an edit that is refused after the log-out leave nothing to read on the device", async () => {
    const { chat, values, server } = await opened();
    let refuse: (error: ApiError) => void = () => undefined;
    server.held = new Promise((_, reject) => {
      refuse = reject;
    });
    chat.changes.edit(WITH_BOB, { kind: "edit", key: "m3", seq: 3, text: "Text", base: 0 }, "Private");
    await settle();
    chat.account.logOut();
    chat.stop();
    refuse(new ApiError(409, "No"));
    await settle(PAUSE_MS);
    expect([...values.keys()].filter((key) => key.includes(":draft"))).toEqual([]);
  });

  it("stay in the composer if the storage is full", async () => {
    const { storage, type, draft, saved } = await opened();
    storage.setItem = () => {
      throw new DOMException("Full", "QuotaExceededError");
    };
    type("Hey");
    expect(draft()).toBe("Hey");
    await settle(PAUSE_MS);
    expect(saved()).toEqual(["draft Hey"]);
    expect(draft()).toBe("Hey");
  });
});
