import { type Attachment, captionOf, summaryOf, textWithoutCaption } from "./attachments.ts";

const one = (kind: Attachment["kind"], name: string) => ({ kind, name });
const photo = one("picture", "beach.jpg");

it("names the attachments of a message without a caption", () => {
  expect(textWithoutCaption([photo, one("file", "plan.pdf")])).toBe("Photo: beach.jpg\nFile: plan.pdf");
});

it("distinguishes a caption from the names", () => {
  const attachments = [photo];
  expect(captionOf({ text: "Photo: beach.jpg", attachments })).toBe("");
  expect(captionOf({ text: "We are here", attachments })).toBe("We are here");
  expect(captionOf({ text: "Photo: beach.jpg" })).toBe("Photo: beach.jpg");
  expect(captionOf({ text: "hello", attachments: [] })).toBe("hello");
});

it.each([
  ["Photo", [photo]],
  ["2 photos", [photo, photo]],
  ["2 audio files", [one("audio", "a.mp3"), one("audio", "b.mp3")]],
  ["2 files", [photo, one("video", "b.mp4")]],
  ["Video", [one("video", "b.mp4")]],
])("summarises as %s", (summary, attachments) => {
  expect(summaryOf({ text: textWithoutCaption(attachments), attachments })).toBe(summary);
  expect(summaryOf({ text: "We are here", attachments })).toBe("We are here");
});

it("summarises without the marks of the formatting", () => {
  expect(summaryOf({ text: "*We* are `here`", attachments: [photo] })).toBe("We are here");
});
