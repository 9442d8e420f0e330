import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { heightOf } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("the composer", () => {
  test("sends and clears on Enter, and adds a line on Shift+Enter", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann, { path: `/home/${bob.id}` });
    const { composer } = person;
    const height = await heightOf(composer);
    await composer.pressSequentially("first line");
    await composer.press("Shift+Enter");
    await composer.pressSequentially("second line");
    await expect(composer).toHaveValue("first line\nsecond line");
    expect(await heightOf(composer)).toBeGreaterThan(height);
    await expect(person.page.getByText("No messages here yet...")).toBeVisible();
    await composer.press("Enter");
    await expect(composer).toHaveValue("");
    await expect(person.log.getByRole("article")).toHaveCount(1);
    await expect(person.log.getByText("first line second line")).toHaveText("first line\nsecond line");
  });

  test("keeps the space below the last line of a long text", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const { composer } = await enter(ann, { path: `/home/${bob.id}` });
    await composer.fill(Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n"));
    await composer.press("Shift+Enter");
    await composer.pressSequentially("the last line");
    const hidden = await composer.evaluate(
      (element) => element.scrollHeight - element.clientHeight - element.scrollTop,
    );
    expect(hidden).toBeLessThan(4);
  });

  test("pastes a formatted text without its format", CHROMIUM_ONLY, async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann, { path: `/home/${bob.id}` });
    await person.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await person.page.evaluate(() => {
      const blob = (type: string, text: string) => new Blob([text], { type });
      const html = blob("text/html", "<h1>Big</h1><b>bold</b>");
      return navigator.clipboard.write([
        new ClipboardItem({ "text/html": html, "text/plain": blob("text/plain", "Big\nbold") }),
      ]);
    });
    await person.composer.press("ControlOrMeta+v");
    await expect(person.composer).toHaveValue("Big\nbold");
    await person.composer.press("Enter");
    await expect(person.log.getByText("Big bold")).toHaveJSProperty("innerHTML", "Big\nbold");
  });

  for (const [width, height] of [
    [390, 700],
    [1280, 700],
  ] as const) {
    test(`stays at the bottom of a window of ${width} px while the messages scroll`, async ({ newPair, enter }) => {
      const { ann, bob } = await newPair();
      await bob.say(ann, ...Array.from({ length: 60 }, (_, index) => `message ${index}`));
      const person = await enter(ann, { path: `/home/${bob.id}`, viewport: { width, height } });
      await person.sees("message 0");
      const bottom = async () => {
        const box = await person.composer.boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0));
      };
      const before = await bottom();
      expect(before).toBeGreaterThan(height - 48);
      expect(before).toBeLessThanOrEqual(height);
      await expect(async () => {
        await person.log.evaluate((element) => element.scrollBy(0, 2_000));
        await expect(person.log.getByText("message 0", { exact: true })).not.toBeInViewport({ timeout: 500 });
      }).toPass();
      expect(await bottom()).toBe(before);
    });
  }
});
