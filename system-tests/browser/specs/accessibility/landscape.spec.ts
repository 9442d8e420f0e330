import { choose } from "../../support/messageMenu.ts";
import { aFile } from "../../support/pictures.ts";
import { expect, test } from "../../support/test.ts";

test("on a phone in landscape, menus and emoji fit and can be reached", async ({ newPair, enter }) => {
  const { ann, bob } = await newPair();
  const options = { path: `/home/${bob.id}`, viewport: { width: 844, height: 390 }, hasTouch: true };
  const person = await enter(ann, options);
  const { page } = person;
  await person.send("Hello");
  await person.sees("Hello");

  await test.step("a row of emoji is visible", async () => {
    await page.getByRole("button", { name: "Emoji" }).click();
    const emoji = page.getByRole("button", { name: "grinning face", exact: true });
    await expect(emoji).toBeVisible();
    const { height } = (await emoji.boundingBox()) ?? { height: 0 };
    const visible = await emoji.evaluate((button) => button.parentElement?.clientHeight ?? 0);
    expect(visible).toBeGreaterThan(1.5 * height);
    await page.keyboard.press("Escape");
  });
  await test.step("the search for emoji is visible above files and a long text", async () => {
    await page.locator("input[type=file]").setInputFiles([aFile("a.pdf"), aFile("b.pdf"), aFile("c.pdf")]);
    await expect(page.getByRole("list", { name: "Files to send" }).getByRole("listitem")).toHaveCount(3);
    await person.composer.fill("line\n".repeat(12));
    await page.getByRole("button", { name: "Emoji" }).click();
    const search = page.getByPlaceholder("Search emoji");
    await expect(search).toBeVisible();
    expect((await search.boundingBox())?.y).toBeGreaterThan(8);
    await page.keyboard.press("Escape");
    await person.composer.fill("");
    for (const name of ["a.pdf", "b.pdf", "c.pdf"]) await page.getByRole("button", { name: `Remove ${name}` }).click();
  });
  await test.step("the last entry of the menu of a message can be chosen", async () => {
    await choose(person, "Hello", "Delete");
    await expect(page.getByRole("dialog", { name: "Delete message?" })).toBeVisible();
    await page.keyboard.press("Escape");
    await person.message("Hello").getByRole("button", { name: "Message actions" }).press("Enter");
    await page.keyboard.press("End");
    const box = await page.getByRole("menuitem", { name: "Delete" }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(390);
  });
});
