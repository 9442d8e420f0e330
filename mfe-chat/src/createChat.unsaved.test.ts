import { aChat, fakeTimersWithoutWarnings, settle } from "../testing/aChat.ts";
import { fromMe, WITH_BOB, WITH_CLEO } from "../testing/builders.ts";
import type { FileBytes } from "./outbox/fileStore.ts";
import type { Edit } from "./state/thread/composing.ts";

const known = { name: "a.pdf", bytes: 3, type: "application/pdf", preparing: null };
const aFile = (key: string) => ({ ...known, key, content: new Blob([key]) });

describe("what is lost with the page", () => {
  fakeTimersWithoutWarnings();

  async function opened({ canStore = true } = {}) {
    const files: FileBytes = {
      async put() {
        if (!canStore) throw new DOMException("Full", "QuotaExceededError");
      },
      get: async () => new Blob(["a"]),
      remove: async () => undefined,
      sweep: async () => undefined,
    };
    const storage = { read: async () => null, save: async () => undefined };
    const chat = aChat({ friendId: "bob", device: { storage, isUnconfirmed: false, files } });
    await chat.begin();
    await chat.connect();
    return { ...chat, isLost: () => chat.listeners().hasUnsaved() };
  }

  it("is neither a draft nor a message without files", async () => {
    const { chat, disconnect, isLost } = await opened();
    await disconnect();
    chat.messages.saveDraft(WITH_BOB, "A draft");
    chat.messages.send(WITH_BOB, "Waits");
    expect(isLost()).toBe(false);
  });

  it("are the chosen files of all threads, but no longer once they are stored with their message", async () => {
    const { chat, disconnect, isLost } = await opened();
    await disconnect();
    chat.attachments.add(WITH_CLEO, aFile("a"));
    expect(isLost()).toBe(true);
    chat.attachments.remove(WITH_CLEO, "a");
    expect(isLost()).toBe(false);
    chat.attachments.add(WITH_BOB, aFile("b"));
    chat.messages.send(WITH_BOB, "With a file");
    await settle();
    expect([chat.store.get().outbox.length, isLost()]).toEqual([1, false]);
  });

  it("is a message whose files cannot be stored, until it is deleted", async () => {
    const { chat, disconnect, isLost } = await opened({ canStore: false });
    await disconnect();
    chat.attachments.add(WITH_BOB, aFile("a"));
    chat.messages.send(WITH_BOB, "");
    await settle();
    expect(isLost()).toBe(true);
    expect(chat.messages.delete(chat.store.get().outbox[0]?.client_id ?? "")).toBe(true);
    expect(isLost()).toBe(false);
  });

  it("is a recording", async () => {
    const { chat, isLost } = await opened();
    chat.attachments.startRecording(WITH_BOB);
    expect(isLost()).toBe(true);
    chat.attachments.stopRecording();
    expect(isLost()).toBe(false);
  });

  it("is the changed text of an edit, until its end", async () => {
    const { chat, handlers, isLost } = await opened();
    handlers().receive_message(fromMe({ seq: 4, text: "Gladly", timestamp: new Date().toISOString() }));
    expect(chat.changes.editLast(WITH_BOB)).toBe(true);
    const edit = chat.store.get().threads.get(WITH_BOB)?.composing as Edit;
    expect(isLost()).toBe(false);
    chat.changes.keepTyped(WITH_BOB, edit, "Gladly!");
    expect(isLost()).toBe(true);
    chat.openFriend("cleo");
    expect(isLost()).toBe(true);
    chat.changes.keepTyped(WITH_BOB, edit, "Gladly");
    expect(isLost()).toBe(false);
    chat.changes.edit(WITH_BOB, edit, "Gladly!");
    expect(isLost()).toBe(false);
  });
});
