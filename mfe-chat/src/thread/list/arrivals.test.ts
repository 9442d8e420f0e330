import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { announcement, newestSeq } from "./arrivals.ts";

describe("newest sequence number", () => {
  it("is that of the last stored message", () => {
    expect(newestSeq([aThreadMessage(1), aThreadMessage(2), aThreadMessage(3, { seq: null, isMine: true })])).toBe(2);
  });

  it("is 0 in an empty thread", () => {
    expect(newestSeq([])).toBe(0);
  });
});

describe("announcement", () => {
  it("contains the friend's name and text", () => {
    expect(announcement([aThreadMessage(1), aThreadMessage(2, { text: "Tea?" })], 1, "Albus")).toBe("Albus: Tea?");
  });

  it("is empty if only old messages were loaded", () => {
    expect(announcement([aThreadMessage(1), aThreadMessage(2)], 2, "Albus")).toBe("");
  });

  it("leaves out own messages", () => {
    const messages = [
      aThreadMessage(1),
      aThreadMessage(2),
      aThreadMessage(3, { isMine: true }),
      aThreadMessage(4, { seq: null, isMine: true }),
    ];
    expect(announcement(messages, 1, "Albus")).toBe("Albus: Message 2");
  });

  it("keeps the order of several", () => {
    expect(announcement([aThreadMessage(1), aThreadMessage(2), aThreadMessage(3)], 0, "Albus")).toBe(
      "Albus: Message 1\nAlbus: Message 2\nAlbus: Message 3",
    );
  });

  it("is a number for many messages", () => {
    const messages = Array.from({ length: 40 }, (_, index) => aThreadMessage(index + 1));
    expect(announcement(messages, 10, "Albus")).toBe("30 new messages from Albus");
  });
});
