import type { Page } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { bothChat } from "../../support/messageMenu.ts";
import type { Person } from "../../support/person.ts";
import { aFile, aPicture, type TestFile } from "../../support/pictures.ts";
import { expect, test } from "../../support/test.ts";

/** Returns a video of a second of two colours, which the browser itself has recorded. */
async function aVideo(page: Page, name: string): Promise<TestFile> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm" });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => void parts.push(data);
    recorder.start();
    for (let frame = 0; frame < 25; frame += 1) {
      context.fillStyle = frame % 2 ? "#f08064" : "#14787f";
      context.fillRect(0, 0, 320, 180);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await new Promise((resolve) => recorder.addEventListener("stop", resolve));
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  });
  return { name, mimeType: "video/webm", buffer: Buffer.from(base64, "base64") };
}

async function sendFiles(person: Person, ...files: TestFile[]): Promise<void> {
  const { page, composer } = person;
  await page.bringToFront();
  await page.locator("input[type=file]").setInputFiles(files);
  const chosen = page.getByRole("list", { name: "Files to send" }).getByRole("listitem");
  await expect(chosen).toHaveCount(files.length);
  await composer.press("Enter");
  await expect(chosen).toHaveCount(0);
}

test("a video has its size before its bytes, and plays where it is", async ({ newPair, enter }) => {
  const pair = await newPair();
  const { ann, bob } = await bothChat(pair, enter);
  await ann.page.bringToFront();
  await bob.page.route("**/messageoh/media/*/view", () => undefined);
  await sendFiles(ann, await aVideo(ann.page, "clip.webm"));
  const video = bob.log.locator("video");
  await expect(video).toHaveAttribute("aria-label", "clip.webm");
  const { width = 1, height = 0 } = (await video.boundingBox()) ?? {};
  expect(height / width).toBeCloseTo(180 / 320, 1);
  await expect(video).toHaveAttribute("poster", /^blob:/);
  await bob.page.unroute("**/messageoh/media/*/view");
  await bob.page.reload();
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(320);
  await expect(video).not.toHaveAttribute("poster");
  expect((await video.boundingBox())?.height).toBeCloseTo(height, 0);
  await bob.page.bringToFront();
  await video.evaluate((element: HTMLVideoElement) => element.play());
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
});

test("the panel of a thread leads to its photos, videos, files and links, by keyboard", async ({ newPair, enter }) => {
  const pair = await newPair();
  const { ann, bob } = await bothChat(pair, enter);
  await sendFiles(ann, aPicture("beach.png"));
  await sendFiles(ann, aFile("The plan.pdf"));
  await expect(bob.log.getByRole("button", { name: /^Photo / })).toBeVisible();
  await expect(bob.log.getByRole("link", { name: "Download The plan.pdf" })).toBeVisible();
  await pair.ann.say(
    pair.bob,
    "See https://www.example.com/garden for more",
    ...Array.from({ length: 40 }, (_, at) => `line ${at}`),
  );
  await bob.sees("line 39");
  const { page } = bob;
  await page.bringToFront();
  const menu = page.getByRole("button", { name: `Menu of the thread with ${pair.ann.name}` });
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "Media, files and links" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Media, files and links" });
  await expect(dialog.getByRole("button", { name: /^Photo from .*beach/ })).toBeVisible();
  await hasNoViolation(page, "the media of a thread");
  await dialog.getByRole("tab", { name: "Media" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("link", { name: "Download The plan.pdf" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Search by file name" }).fill("BEACH");
  await expect(dialog.getByRole("link", { name: /^Download beach/ })).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Download The plan.pdf" })).toHaveCount(0);
  await hasNoViolation(page, "the files of a thread");
  await dialog.getByRole("tab", { name: "Files" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(dialog.getByRole("link")).toHaveAttribute("href", "https://www.example.com/garden");
  await dialog.getByRole("button", { name: "Show message" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(bob.log.getByRole("article").filter({ hasText: "See https://www.example.com" })).toBeInViewport();
});

test("the largest file is found in the settings and deleted for both", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await sendFiles(ann, aFile("small.bin", 1_000));
  await sendFiles(ann, aFile("large.bin", 90_000));
  await expect(bob.log.getByRole("link", { name: /^Download/ })).toHaveCount(2);
  const dialog = await ann.openSettings("Storage");
  await expect(dialog.getByText("The files that you have sent take up 91 kB.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Delete/ })).toHaveCount(2);
  await hasNoViolation(ann.page, "the storage");
  await dialog.getByRole("button", { name: "Delete large.bin" }).press("Enter");
  const question = ann.page.getByRole("dialog", { name: "Delete large.bin?" });
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(dialog.getByText("Deleted. Its space is free within a day.")).toBeVisible();
  await expect(dialog.getByRole("heading", { name: "Largest files" })).toBeFocused();
  await expect(bob.log.getByRole("link", { name: "Download large.bin" })).toHaveCount(0);
  await expect(bob.log.getByText("Message deleted")).toBeVisible();
  await dialog.getByRole("button", { name: /^small\.bin/ }).press("Enter");
  await expect(ann.page.getByRole("dialog")).toHaveCount(0);
  await expect(ann.log.getByRole("link", { name: "Download small.bin" })).toBeInViewport();
});
