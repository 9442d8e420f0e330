import { writeFile } from "node:fs/promises";
import { By, Key } from "selenium-webdriver";
import { aFile, aPicture, aVoice, type TestFile } from "../support/pictures.ts";
import { share } from "../support/sharing.ts";
import { expect, test } from "./support/test.ts";
import { bothChat } from "./support/thread.ts";
import type { Window } from "./support/window.ts";

/** Chooses files for the next message, as the file chooser returns them. */
async function attach(window: Window, ...files: TestFile[]): Promise<void> {
  for (const { name, buffer } of files) {
    const path = test.info().outputPath(name);
    await writeFile(path, buffer);
    await window.driver.findElement(By.css("input[type=file]")).sendKeys(path);
    await window.sees(name.slice(0, name.lastIndexOf(".")));
  }
}

test("a picture and a file reach the friend, who looks at the picture and downloads the file", async ({
  open,
  pairAt,
}) => {
  const { hers, his } = await bothChat(await pairAt(), open);
  await attach(hers, aPicture("lake.png"), aFile("plan.bin", 12_345));
  await hers.send("From the lake");
  await his.sees("From the lake");
  await (await his.byRole("button", /^Photo /)).sendKeys(Key.RETURN);
  await his.byRole("dialog");
  const WIDTH = "return document.querySelector('dialog img').naturalWidth";
  await expect.poll(() => his.run(WIDTH)).toBe(640);
  await his.press(Key.ESCAPE);
  await his.hasNo("dialog");
  await his.byRole("link", "Download plan.bin");
  const downloaded = await his.driver.executeAsyncScript(
    `const [done] = arguments;
     fetch(document.querySelector("a[download]").href).then(async (response) =>
       done([response.headers.get("content-disposition"), (await response.blob()).size]));`,
  );
  expect(downloaded).toEqual([expect.stringContaining("plan.bin"), 12_345]);
});

test("a voice message of another browser plays, and the panel of the thread shows what was shared", async ({
  open,
  pairAt,
}) => {
  const { ann, bob } = await pairAt();
  await share(bob, ann, aPicture("beach.png"));
  await share(bob, ann, aVoice("Voice.ogg"), { seconds: "60", wave: Buffer.alloc(64, 90).toString("base64") });
  await bob.say(ann, "See https://www.example.com/garden");
  const window = await open();
  await window.logIn(ann, `/home/${bob.id}`);
  // By keyboard, because a click misses a row that moves while the thread is loaded.
  await (await window.byRole("button", "Play voice message, 1:00")).sendKeys(Key.RETURN);
  await window.byRole("button", "Pause");
  await expect.poll(() => window.run("return document.querySelector('audio').currentTime")).toBeGreaterThan(0.5);
  // WebKitGTK has no encoder for sound, so that it offers no recorder.
  await window.hasNo("button", "Record a voice message");
  await window.click("button", /^Menu of the thread/);
  await window.click("menuitem", "Media, files and links");
  await window.byRole("button", /^Photo from .*beach/);
  await (await window.byRole("tab", "Media")).sendKeys(Key.ARROW_LEFT);
  await window.byRole("link", /example\.com\/garden/);
});
