import { isPink, isRed, style } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

const FIRST_GROUP = [
  ["Dog", "dog-id"],
  ["Cat", "cat-id"],
  ["Bear", "bear-id"],
  ["Fish", "fish-id"],
  ["Fox", "fox-id"],
  ["Giraffe", "giraffe-id"],
  ["Panda", "panda-id"],
  ["Rabbit", "rabbit-id"],
] as const;
const SECOND_GROUP = [
  ["Weasel", "weasel-id"],
  ["Seal", "seal-id"],
  ["Second deer", "deer2-id"],
  ["Koala", "koala-id"],
  ["Second rabbit", "rabbit2-id"],
  ["Meerkat", "meerkat-id"],
  ["Second fox", "fox2-id"],
  ["Deer", "deer-id"],
  ["Snake", "snake-id"],
  ["Chicken", "chicken-id"],
] as const;

test.describe("the avatar picker", () => {
  test.beforeEach(async ({ page }) => {
    await page.goto("/register");
    await expect(page.getByRole("radiogroup", { name: "Choose your avatar" })).toBeVisible();
  });

  test("shows 8 and 10 animals in two groups in order", async ({ page }) => {
    const groups = page.getByRole("radiogroup").locator("> *");
    await expect(groups).toHaveCount(2);
    for (const [index, group] of [FIRST_GROUP, SECOND_GROUP].entries()) {
      const animals = groups.nth(index).getByRole("radio");
      await expect(animals).toHaveCount(group.length);
      for (const [place, [name, id]] of group.entries()) {
        await expect(animals.nth(place)).toHaveAccessibleName(name);
        await expect(animals.nth(place).locator("img")).toHaveAttribute("src", new RegExp(`#${id}$`));
      }
    }
    await test.step("each has its own picture", async () => {
      const images = page.getByRole("radio").locator("img");
      const addresses = await images.evaluateAll((all: HTMLImageElement[]) => all.map(({ src }) => src));
      expect(new Set(addresses).size).toBe(18);
      for (const image of await images.all()) {
        await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
      }
    });
  });

  test("frames the chosen animal with a dashed pink rounded border, and only that", async ({ page }) => {
    const [fox, seal] = [
      page.getByRole("radio", { name: "Fox", exact: true }),
      page.getByRole("radio", { name: "Seal" }),
    ];
    await fox.click();
    await seal.click();
    await expect(seal).toBeChecked();
    await expect(fox).not.toBeChecked();
    await page.mouse.move(0, 0);
    expect(await style(seal, "border-top-style")).toBe("dashed");
    expect(await isPink(seal, "border-top-color")).toBe(true);
    expect(Number.parseFloat(await style(seal, "border-top-left-radius"))).toBeGreaterThan(4);
    expect(await isPink(fox, "border-top-color")).toBe(false);
  });

  test("turns title and divider red while none is chosen", async ({ page }) => {
    const title = page.getByRole("heading", { name: "Choose your avatar" });
    const divider = page.getByRole("separator");
    expect([await isRed(title, "color"), await isRed(divider, "border-top-color")]).toEqual([false, false]);
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Please fill in or select all required fields")).toBeVisible();
    expect([await isRed(title, "color"), await isRed(divider, "border-top-color")]).toEqual([true, true]);
    await page.getByRole("radio", { name: "Cat" }).click();
    expect([await isRed(title, "color"), await isRed(divider, "border-top-color")]).toEqual([false, false]);
  });
});
