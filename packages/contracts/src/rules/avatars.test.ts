import { AVATAR_GROUPS, AVATAR_IDS, avatarName } from "./avatars.ts";

const FIRST = ["dog-id", "cat-id", "bear-id", "fish-id", "fox-id", "giraffe-id", "panda-id", "rabbit-id"];
const SECOND = [
  "weasel-id",
  "seal-id",
  "deer2-id",
  "koala-id",
  "rabbit2-id",
  "meerkat-id",
  "fox2-id",
  "deer-id",
  "snake-id",
  "chicken-id",
];

describe("AVATAR_GROUPS", () => {
  it("has 8 and 10 avatars in two groups, in the order of the specification", () => {
    expect(AVATAR_GROUPS).toEqual([FIRST, SECOND]);
    expect(AVATAR_IDS).toHaveLength(18);
  });

  it("gives each avatar its own name", () => {
    expect(new Set(AVATAR_IDS.map(avatarName)).size).toBe(18);
    expect([avatarName("deer-id"), avatarName("deer2-id")]).toEqual(["Deer", "Second deer"]);
  });
});
