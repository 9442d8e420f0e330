import { aThreadMessage } from "../../../testing/aThreadMessage.ts";
import { anAttachment } from "../../../testing/builders.ts";
import { copiedText } from "./copiedText.ts";

const nameOf = ({ isMine }: { isMine: boolean }) => (isMine ? "Me" : "Bob");
const at = (hours: number, minutes: number) => new Date(2024, 0, 5, hours, minutes).toISOString();
const DAY = new Date(2024, 0, 5).toLocaleDateString();

describe("what is copied", () => {
  it("is the text of one message", () => {
    expect(copiedText([aThreadMessage(1, { text: "One\nTwo" })], nameOf)).toBe("One\nTwo");
  });

  it("is several messages in order, with their times and authors", () => {
    const messages = [
      aThreadMessage(1, { text: "Tea?", timestamp: at(9, 5) }),
      aThreadMessage(2, { text: "Yes\nplease", isMine: true, timestamp: at(17, 30) }),
    ];
    expect(copiedText(messages, nameOf)).toBe(`[09:05, ${DAY}] Bob: Tea?\n[17:30, ${DAY}] Me: Yes\nplease`);
  });

  it("names the files of a message without a text", () => {
    const attachments = [anAttachment({ name: "plan.pdf" })];
    expect(copiedText([aThreadMessage(1, { text: "", attachments })], nameOf)).toBe("File: plan.pdf");
  });
});
