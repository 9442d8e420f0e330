import { aQueued } from "../../testing/builders.ts";
import { memoryStorage } from "../../testing/memoryStorage.ts";
import { createOutboxStorage } from "./outboxStorage.ts";

describe("outbox storage", () => {
  beforeEach(() => jest.spyOn(console, "warn").mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it("keeps messages over a reload", () => {
    const { storage } = memoryStorage();
    createOutboxStorage("me", storage).write(aQueued());
    expect(createOutboxStorage("me", storage).readAll()).toEqual([aQueued()]);
  });

  it("separates users", () => {
    const { storage } = memoryStorage();
    createOutboxStorage("me", storage).write(aQueued());
    expect(createOutboxStorage("someone", storage).readAll()).toEqual([]);
  });

  it("forgets removed messages", () => {
    const { storage } = memoryStorage();
    const outbox = createOutboxStorage("me", storage);
    outbox.write(aQueued());
    outbox.remove("client-a");
    expect(outbox.readAll()).toEqual([]);
  });

  it("keeps what two tabs write simultaneously", () => {
    const { storage } = memoryStorage();
    const [one, other] = [createOutboxStorage("me", storage), createOutboxStorage("me", storage)];
    one.write(aQueued({ client_id: "a" }));
    other.write(aQueued({ client_id: "b" }));
    expect(one.readAll()).toHaveLength(2);
  });

  it("skips invalid entries", () => {
    const { storage } = memoryStorage();
    storage.setItem("messageoh:outbox:me:x", "{broken");
    storage.setItem("messageoh:outbox:me:y", '{"client_id":"y"}');
    expect(createOutboxStorage("me", storage).readAll()).toEqual([]);
  });

  it("works if the storage is full or forbidden", () => {
    const forbidden = () => {
      throw new Error("QuotaExceededError");
    };
    const storage = { length: 0, key: forbidden, getItem: forbidden, setItem: forbidden, removeItem: forbidden };
    const outbox = createOutboxStorage("me", storage);
    expect(() => outbox.write(aQueued())).not.toThrow();
    expect(() => outbox.remove("a")).not.toThrow();
  });

  it("returns what another tab wrote or removed", () => {
    const outbox = createOutboxStorage("me", memoryStorage().storage);
    const key = "messageoh:outbox:me:client-a";
    expect(outbox.readEvent({ key, newValue: JSON.stringify(aQueued()) })?.entry).toEqual(aQueued());
    expect(outbox.readEvent({ key, newValue: null })).toEqual({ id: "client-a", entry: null });
  });

  it("ignores other keys", () => {
    const outbox = createOutboxStorage("me", memoryStorage().storage);
    expect(outbox.readEvent({ key: "messageoh:draft:me:x", newValue: "Hi" })).toBeUndefined();
    expect(outbox.readEvent({ key: null, newValue: null })).toBeUndefined();
  });
});
