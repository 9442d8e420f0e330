import { memoryStorage } from "../../testing/memoryStorage.ts";
import { createDrafts } from "./drafts.ts";

describe("draft storage", () => {
  it("keeps drafts per thread over a reload", () => {
    const { storage } = memoryStorage();
    createDrafts("me", storage).save("with-bob", "Half a sent");
    expect(createDrafts("me", storage).of("with-bob")).toBe("Half a sent");
    expect(createDrafts("me", storage).of("with-cleo")).toBe("");
  });

  it("keeps drafts per user", () => {
    const { storage } = memoryStorage();
    createDrafts("me", storage).save("with-bob", "Mine");
    expect(createDrafts("bob", storage).of("with-bob")).toBe("");
  });

  it("removes an emptied draft", () => {
    const { storage, values } = memoryStorage();
    const drafts = createDrafts("me", storage);
    drafts.save("with-bob", "Hi");
    drafts.save("with-bob", "");
    expect(values.size).toBe(0);
  });

  it("removes all drafts of one user and nothing else", () => {
    const { storage, values } = memoryStorage();
    const drafts = createDrafts("me", storage);
    drafts.save("with-bob", "Hi");
    drafts.save("with-cleo", "Ho");
    storage.setItem("messageoh:outbox:me:a", "kept");
    createDrafts("bob", storage).save("with-me", "kept");
    drafts.wipe();
    expect(values.size).toBe(2);
  });
});
