import { type Attachment, captionOf, lengthLabel, summaryOf, textWithoutCaption } from "./attachments.ts";

const one = (kind: Attachment["kind"], name: string) => ({ kind, name });
const photo = one("picture", "beach.jpg");
const voice = { ...one("audio", "voice.webm"), seconds: 12.4, wave: "AAAA" };

it("names the attachments of a message without a caption", () => {
  expect(textWithoutCaption([photo, one("file", "plan.pdf")])).toBe("Photo: beach.jpg\nFile: plan.pdf");
});

it("names a voice message by its length", () => {
  expect(textWithoutCaption([voice])).toBe("Voice message 0:12");
  expect(captionOf({ text: "Voice message 0:12", attachments: [voice] })).toBe("");
});

it.each([
  [0.2, "0:00"],
  [59.6, "1:00"],
  [900, "15:00"],
  [3_723, "1:02:03"],
])("shows %d seconds as %s", (seconds, label) => {
  expect(lengthLabel(seconds)).toBe(label);
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
  ["Voice message 0:12", [voice]],
  ["2 audio files", [voice, voice]],
])("summarises as %s", (summary, attachments) => {
  expect(summaryOf({ text: textWithoutCaption(attachments), attachments })).toBe(summary);
  expect(summaryOf({ text: "We are here", attachments })).toBe("We are here");
});

it("summarises without the marks of the formatting", () => {
  expect(summaryOf({ text: "*We* are `here`", attachments: [photo] })).toBe("We are here");
});
