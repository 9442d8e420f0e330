import { rolloutBucket } from "./rolloutBucket.ts";

type KeyValues = Pick<Storage, "getItem" | "setItem">;

function memory(content: Record<string, string> = {}): KeyValues {
  const kept = new Map(Object.entries(content));
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe("rollout bucket", () => {
  it("stays the same and differs between remotes", () => {
    const storage = memory();
    const bucket = rolloutBucket("mfe_chat", () => storage);
    expect(bucket).toBeGreaterThanOrEqual(0);
    expect(bucket).toBeLessThan(100);
    expect(rolloutBucket("mfe_chat", () => storage)).toBe(bucket);
    expect(rolloutBucket("mfe_auth", () => storage)).not.toBe(bucket);
  });

  it("excludes a browser without storage from every canary", () => {
    const refuse = (): KeyValues => {
      throw new Error("The storage is blocked");
    };
    expect(rolloutBucket("mfe_chat", refuse)).toBe(100);
  });

  it("is drawn again if the stored value is not a number", () => {
    const storage = memory({ "messageoh:rollout:mfe_chat": "rubbish" });
    expect(rolloutBucket("mfe_chat", () => storage)).toBeLessThan(100);
  });
});
