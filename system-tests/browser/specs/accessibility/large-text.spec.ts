import { aFile } from "../../support/pictures.ts";
import { share } from "../../support/sharing.ts";
import { expect, test } from "../../support/test.ts";

for (const width of [1280, 390]) {
  test(`with text of 200 %, a thread of ${width} px can be read and written to`, async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await share(bob, ann, aFile("notes.txt"));
    const person = await enter(ann, { path: `/home/${bob.id}`, viewport: { width, height: 800 } });
    const { page } = person;
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    const rightOf = async (name: string) => {
      const box = await page.getByRole("button", { name, exact: true }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };

    await test.step("the composer shows words beside buttons that do not overlap", async () => {
      const words = await person.composer.evaluate((input) => {
        const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(input);
        return input.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
      });
      expect(words).toBeGreaterThan(120);
      const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
      expect(await rightOf("Emoji")).toBeLessThanOrEqual(send?.x ?? 0);
    });
    await test.step("the size of a file is below its name, inside its row", async () => {
      const size = page.getByText("2.0 kB");
      const isInside = await size.evaluate((line) => {
        const bubble = line.closest("article")?.querySelector("p, time")?.getBoundingClientRect();
        return line.getBoundingClientRect().bottom <= (bubble?.top ?? 0);
      });
      expect(isInside).toBe(true);
    });
    await test.step("the menu of the account is inside the window", async () => {
      if (await page.getByRole("button", { name: "Back" }).isVisible()) {
        await page.getByRole("button", { name: "Back" }).click();
      }
      await person.openAccountMenu();
      const box = await page.getByRole("menu").boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    });
  });
}
