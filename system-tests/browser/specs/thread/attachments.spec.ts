import type { Locator, Page } from "@playwright/test";
import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { bothChat } from "../../support/messageMenu.ts";
import type { Person } from "../../support/person.ts";
import { aFile, aHeic, anAnimation, aPicture, NIGHT, SUN, type TestFile } from "../../support/pictures.ts";
import { expect, test } from "../../support/test.ts";

const chosen = (person: Person): Locator =>
  person.page.getByRole("list", { name: "Files to send" }).getByRole("listitem");
const photos = (person: Person): Locator => person.log.getByRole("button", { name: /^Photo / });
const upload = (person: Person): Locator => person.log.getByRole("progressbar", { name: "Upload" });

/** Chooses files with the button, as the file chooser returns them. */
async function attach({ page }: Person, ...files: TestFile[]): Promise<void> {
  // Firefox does not always report its file chooser.
  if (page.context().browser()?.browserType().name() === "firefox")
    return page.locator("input[type=file]").setInputFiles(files);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach" }).click();
  await (await chooser).setFiles(files);
}

/** Waits until the picture of a button is drawn. */
async function isDrawn(photo: Locator): Promise<void> {
  const picture = photo.locator("img");
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeTruthy();
}

/** Returns what the page will upload after its next load. Playwright does not show bodies that are Blobs. */
async function uploadedBodies(page: Page): Promise<string[]> {
  const bodies: string[] = [];
  await page.exposeFunction("noteBody", (body: string) => void bodies.push(body));
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype;
    const { noteBody } = window as unknown as { noteBody: (body: string) => void };
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof Blob) void body.text().then(noteBody);
      send.call(this, body);
    };
  });
  return bodies;
}

/** Gives files to the page as a drop, or as a paste into the composer. */
const give = (page: Page, how: "drop" | "paste", { name, mimeType, buffer }: TestFile) =>
  page.getByPlaceholder("Message...").evaluate(
    (field, { how, name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type: mimeType }));
      const options = { bubbles: true, cancelable: true, composed: true };
      if (how === "paste") {
        // The constructor of Firefox ignores the data.
        const paste = new ClipboardEvent("paste", options);
        field.dispatchEvent(Object.defineProperty(paste, "clipboardData", { value: transfer }));
      } else {
        for (const type of ["dragenter", "dragover", "drop"]) {
          field.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: transfer }));
        }
      }
    },
    { how, name, mimeType, base64: buffer.toString("base64") },
  );

test("two pictures with a caption reach the friend, who looks at them by keyboard", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await attach(ann, aPicture("lake.png"), aPicture("hills.png", 480, 640, [NIGHT, SUN]));
  await expect(chosen(ann)).toHaveCount(2);
  await hasNoViolation(ann.page, "chosen files");
  await ann.send("From the lake");
  await expect(chosen(ann)).toHaveCount(0);
  await bob.sees("From the lake");
  await expect(photos(bob)).toHaveCount(2);
  for (const photo of await photos(bob).all()) await isDrawn(photo);
  await expect(upload(ann)).toHaveCount(0);
  await expect(bob.entry(ann)).toContainText("From the lake");
  await hasNoViolation(bob.page, "pictures");

  // Firefox presses no button by a key in a window that is not in front.
  await bob.page.bringToFront();
  await photos(bob).first().press("Enter");
  const viewer = bob.page.getByRole("dialog");
  await expect(viewer.getByRole("img")).toBeVisible();
  await expect(viewer.getByText("Photo 1 of 2")).toBeVisible();
  await hasNoViolation(bob.page, "the viewer");
  await bob.page.keyboard.press("ArrowRight");
  await expect(viewer.getByText("Photo 2 of 2")).toBeVisible();
  await bob.page.keyboard.press("+");
  await expect(viewer.getByRole("button", { name: "Zoom out" })).toBeEnabled();
  await viewer.getByRole("button", { name: "Zoom out" }).press("Enter");
  await expect(viewer.getByRole("button", { name: "Zoom out" })).toBeDisabled();
  await expect(viewer.getByRole("button", { name: "Zoom out" })).toBeFocused();
  await bob.page.keyboard.press("+");
  await expect(viewer.getByRole("button", { name: "Zoom out" })).toBeEnabled();
  await bob.page.keyboard.press("0");
  await expect(viewer.getByRole("button", { name: "Zoom out" })).toBeDisabled();
  await bob.page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await expect(photos(bob).first()).toBeFocused();
  await photos(bob).first().press("Enter");
  await expect(viewer).toBeVisible();
  await bob.page.goBack();
  await expect(viewer).toHaveCount(0);
  await expect(bob.composer).toBeVisible();
});

test("a dropped file and a pasted picture are sent, and the file is downloaded under its name", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await give(ann.page, "drop", aFile("plan.bin", 12_345));
  await expect(chosen(ann)).toHaveCount(1);
  await give(ann.page, "paste", aPicture("screenshot.png", 800, 200));
  await expect(chosen(ann)).toHaveCount(2);
  await ann.page.getByRole("button", { name: "Send" }).click();
  const link = bob.log.getByRole("link", { name: "Download plan.bin" });
  await expect(link).toBeVisible();
  await expect(photos(bob)).toHaveCount(1);
  await expect(bob.entry(ann)).toContainText("2 files");
  const { status, name, size } = await link.evaluate(async (element: HTMLAnchorElement) => {
    const response = await fetch(element.href);
    const { size } = await response.blob();
    return { status: response.status, name: response.headers.get("content-disposition"), size };
  });
  expect([status, size]).toEqual([200, 12_345]);
  expect(name).toContain("plan.bin");
});

test("an upload shows its progress and holds no text back; a cancelled one is gone", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await ann.page.route("**/messageoh/media/uploads/**", async (route) => {
    if (route.request().method() === "PATCH") await held;
    await route.fallback();
  });
  await attach(ann, aFile("slow.bin"));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.send("slow");
  await expect(upload(ann)).toBeVisible();
  await hasNoViolation(ann.page, "an upload");
  await ann.send("meanwhile");
  await bob.sees("meanwhile");
  await expect(bob.log.getByText("slow.bin")).toHaveCount(0);
  await ann.log.getByRole("button", { name: "Cancel" }).click();
  await expect(ann.log.getByText("slow", { exact: true })).toHaveCount(0);
  release();
  await ann.send("afterwards");
  await bob.sees("afterwards");
  await expect(bob.log.getByText("slow", { exact: true })).toHaveCount(0);
});

test("an upload continues after a reload of the page", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  const hold = "**/messageoh/media/uploads/**";
  let parts = 0;
  await ann.page.route(hold, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    parts += 1;
    // The first part arrives, the second one never does.
    if (parts === 1) await route.fallback();
  });
  await attach(ann, aFile("long.bin", 8_000_000));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.send("the archive");
  await expect.poll(() => parts).toBe(2);
  await ann.page.unroute(hold);
  const created: string[] = [];
  ann.page.on("request", (request) => {
    if (/media\/uploads/.test(request.url())) created.push(request.method());
  });
  await ann.page.reload();
  await expect(bob.log.getByRole("link", { name: "Download long.bin" })).toBeVisible();
  await bob.sees("the archive");
  await expect(upload(ann)).toHaveCount(0);
  expect(created).not.toContain("POST");
});

test("a picture that was not prepared before a reload is sent afterwards, without what it says of its place", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  const { page } = ann;
  const picture = aPicture("lake.png");
  const place = "taken at home";
  const withPlace = { ...picture, buffer: Buffer.concat([picture.buffer, Buffer.from(place)]) };
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (/media\/uploads/.test(request.url())) uploads.push(request.method());
  });
  const bodies = await uploadedBodies(page);
  // Until the reload, no picture can be decoded.
  await page.evaluate(() =>
    Object.assign(window, { Worker: undefined, createImageBitmap: () => new Promise(() => undefined) }),
  );
  await attach(ann, withPlace, aFile("plan.bin"));
  await expect(chosen(ann)).toHaveCount(2);
  await ann.send("At the lake");
  await expect(upload(ann)).toBeVisible();
  await expect(photos(ann)).toHaveCount(1);
  await hasNoViolation(page, "a message that is prepared");
  await ann.send("meanwhile");
  await bob.sees("meanwhile");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).includes("At the lake"))).toBe(true);
  expect(uploads).toEqual([]);
  await page.reload();
  await bob.sees("At the lake");
  await isDrawn(photos(bob));
  await expect(bob.log.getByRole("link", { name: "Download plan.bin" })).toBeVisible();
  await expect(upload(ann)).toHaveCount(0);
  expect(bodies.join()).toContain("WEBP");
  expect(bodies.join()).not.toContain(place);
});

test("files that are attached without a network are sent when it is back", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await ann.hasOfflineCode();
  await ann.page.context().setOffline(true);
  await attach(ann, aPicture("lake.png"));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.send("offline");
  await expect(upload(ann)).toBeVisible();
  await expect(ann.log.getByText("Waiting", { exact: true })).toBeVisible();
  await ann.page.context().setOffline(false);
  await bob.sees("offline");
  await expect(photos(bob)).toHaveCount(1);
});

test("a picture that was deleted for everyone is gone for both, also at its address", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await attach(ann, aPicture("secret.png"));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.send("for you only");
  await bob.sees("for you only");
  await isDrawn(photos(bob));
  const address = await photos(bob)
    .locator("img")
    .evaluate((image: HTMLImageElement) => image.src);
  const statusOf = (person: Person) =>
    person.page.evaluate(async (url) => (await fetch(url, { cache: "no-store" })).status, address);
  expect(await statusOf(bob)).toBe(200);
  // A menu closes without the focus.
  await ann.page.bringToFront();
  await ann.message("for you only").getByRole("button", { name: "Message actions" }).press("Enter");
  await ann.page.getByRole("menuitem", { name: "Delete" }).click();
  await ann.page.getByRole("button", { name: "Delete for everyone" }).click();
  await bob.sees("Message deleted");
  for (const person of [ann, bob]) {
    await expect(photos(person)).toHaveCount(0);
    await expect.poll(() => statusOf(person)).toBe(404);
  }
});

test("a message without a caption is quoted by what it is, and its caption is added by an edit", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await attach(ann, aPicture("lake.png"));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.page.getByRole("button", { name: "Send" }).click();
  await expect(photos(bob)).toHaveCount(1);
  await expect(bob.entry(ann)).toContainText("Photo");
  await bob.page.bringToFront();
  await bob.log.getByRole("article").getByRole("button", { name: "Message actions" }).press("Enter");
  await expect(bob.page.getByRole("menuitem", { name: "Copy text" })).toHaveCount(0);
  await bob.page.getByRole("menuitem", { name: "Reply" }).click();
  await bob.send("Lovely");
  await expect(ann.message("Lovely").getByRole("button", { name: /Photo$/ })).toBeVisible();
  await ann.composer.press("ArrowUp");
  await expect(ann.composer).toHaveValue("");
  await ann.composer.fill("At the lake");
  await ann.composer.press("Enter");
  await expect(bob.message("At the lake").first()).toBeVisible();
  await expect(photos(bob)).toHaveCount(1);
});

test("an animation stays one, and a picture that the browser cannot show is sent as a file", async ({
  newPair,
  enter,
}) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await attach(ann, anAnimation("blink.gif"), aHeic("holiday.heic"));
  const sentence = "This browser cannot show the picture, so it is sent as a file.";
  await expect(chosen(ann).nth(1)).toContainText(sentence);
  await ann.send("Both");
  await bob.sees("Both");
  await expect(bob.log.getByRole("link", { name: "Download holiday.heic" })).toBeVisible();
  await isDrawn(photos(bob));
  const frames = await photos(bob)
    .locator("img")
    .evaluate(async ({ src }: HTMLImageElement) => (await (await fetch(src)).text()).split("ANMF").length - 1);
  expect(frames).toBe(2);
});

test("the files of all messages are downloaded as one ZIP file", CHROMIUM_ONLY, async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await attach(ann, aFile("plan.bin", 50_000));
  await expect(chosen(ann)).toHaveCount(1);
  await ann.send("the plan");
  await bob.sees("the plan");
  await bob.openSettings("My account");
  const download = bob.page.waitForEvent("download");
  await bob.page.getByRole("button", { name: "Download my files" }).click();
  const stream = await (await download).createReadStream();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  const zip = Buffer.concat(parts);
  expect(zip.subarray(0, 2).toString()).toBe("PK");
  expect(zip.includes("plan.bin")).toBe(true);
  expect(zip.length).toBeGreaterThan(50_000);
  await expect(bob.page.getByText("Saved as messageoh-files.zip")).toBeVisible();
});

test(
  "a phone shows pictures at its width; a swipe goes to the next one, and two fingers zoom",
  CHROMIUM_ONLY,
  async ({ newPair, enter }) => {
    const pair = await newPair();
    const { ann } = await bothChat(pair, enter);
    await attach(
      ann,
      aPicture("one.png"),
      aPicture("two.png"),
      aPicture("three.png"),
      aPicture("four.png"),
      aPicture("five.png"),
    );
    await ann.send("Five");
    const viewport = { width: 390, height: 844 };
    const bob = await enter(pair.bob, { path: `/home/${pair.ann.id}`, hasTouch: true, isMobile: true, viewport });
    await bob.sees("Five");
    await expect(photos(bob)).toHaveCount(4);
    await expect(photos(bob).last()).toContainText("+1");
    const { page } = bob;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await photos(bob).first().tap();
    await expect(page.getByText("Photo 1 of 5")).toBeVisible();
    const devTools = await page.context().newCDPSession(page);
    /** Changes the fingers on the screen. Those that end are named, as in the protocol. */
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...fingers: [id: number, x: number][]) =>
      devTools.send("Input.dispatchTouchEvent", { type, touchPoints: fingers.map(([id, x]) => ({ id, x, y: 400 })) });
    await touch("touchStart", [0, 300]);
    for (const x of [200, 100]) await touch("touchMove", [0, x]);
    await touch("touchEnd");
    await expect(page.getByText("Photo 2 of 5")).toBeVisible();

    const zoomOut = page.getByRole("button", { name: "Zoom out" });
    await touch("touchStart", [0, 180], [1, 220]);
    await touch("touchMove", [0, 100], [1, 300]);
    await expect(zoomOut).toBeEnabled();
    await touch("touchMove", [0, 190], [1, 210]);
    await expect(zoomOut).toBeDisabled();
    // The finger that stays goes to no other picture.
    await touch("touchEnd", [0, 190]);
    for (const x of [110, 10]) await touch("touchMove", [1, x]);
    await touch("touchEnd");
    await expect(page.getByText("Photo 2 of 5")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  },
);
