import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { isPink, isRed, style } from "../../support/looks.ts";
import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

const MISSING = "Please fill in or select all required fields";

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

test.describe("the registration", () => {
  test.beforeEach(async ({ page }) => {
    await page.goto("/register");
    await expect(page.getByRole("heading", { name: "Create your account", exact: true })).toBeVisible();
  });

  test("offers 8 and 10 animals in two groups in order, and marks missing fields until each is edited", async ({
    page,
  }) => {
    const name = page.getByPlaceholder("Username e.g. Albus212");
    const password = page.getByPlaceholder("Password");
    const avatars = page.getByRole("radiogroup", { name: "Choose your avatar" });
    const register = page.getByRole("button", { name: "Register" });

    await test.step("the animals", async () => {
      const groups = avatars.locator("> *");
      await expect(groups).toHaveCount(2);
      for (const [index, group] of [FIRST_GROUP, SECOND_GROUP].entries()) {
        const animals = groups.nth(index).getByRole("radio");
        await expect(animals).toHaveCount(group.length);
        for (const [place, [animal, id]] of group.entries()) {
          await expect(animals.nth(place)).toHaveAccessibleName(animal);
          await expect(animals.nth(place).locator("img")).toHaveAttribute("src", new RegExp(`#${id}$`));
        }
      }
    });
    await test.step("each has its own picture", async () => {
      const images = page.getByRole("radio").locator("img");
      const addresses = await images.evaluateAll((all: HTMLImageElement[]) => all.map(({ src }) => src));
      expect(new Set(addresses).size).toBe(18);
      for (const image of await images.all()) {
        await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
      }
    });

    await test.step("missing fields", async () => {
      const isMarked = (field: typeof name) => field.evaluate((element) => element.ariaInvalid === "true");
      const title = page.getByRole("heading", { name: "Choose your avatar" });
      const divider = page.getByRole("separator");
      const areRed = async () => [await isRed(title, "color"), await isRed(divider, "border-top-color")];
      expect(await areRed()).toEqual([false, false]);
      await register.click();
      await expect(page.getByText(MISSING, { exact: true })).toBeVisible();
      expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([true, true, true]);
      expect(await areRed()).toEqual([true, true]);
      await expect(name).toBeFocused();
      // The focus ring replaces the border.
      await expect.poll(() => isRed(name.locator("xpath=.."), "outline-color")).toBe(true);
      await expect.poll(() => isRed(password.locator("xpath=.."), "border-top-color")).toBe(true);
      await name.fill("Albus212");
      expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, true, true]);
      await password.fill("a long password");
      expect(await Promise.all([name, password, avatars].map(isMarked))).toEqual([false, false, true]);
      await expect(page.getByText(MISSING)).toBeVisible();
      await page.getByRole("radio", { name: "Dog" }).click();
      expect(await isMarked(avatars)).toBe(false);
      expect(await areRed()).toEqual([false, false]);
      await expect(page.getByText(MISSING)).toHaveCount(0);
    });

    await test.step("the chosen animal has a dashed pink rounded border, and only that", async () => {
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
  });

  test("is submitted by Enter, stores the id and opens /home", CHROMIUM_ONLY, async ({ page }) => {
    const name = uniqueName("Ann");
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByPlaceholder("Username e.g. Albus212").fill(name);
    await page.getByRole("radio", { name: "Giraffe" }).click();
    await page.getByPlaceholder("Password").fill("8 charac");
    await page.getByPlaceholder("Password").press("Enter");
    expect((await sent).postDataJSON()).toEqual({ name, password: "8 charac", avatar_id: "giraffe-id" });
    await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
    await expect(page).toHaveURL("/home");
    const id = await page.evaluate(() => localStorage.getItem("current-user-id"));
    expect((await (await page.request.get(`/messageoh/users/${id}`)).json()) as unknown).toEqual({
      id,
      name,
      avatar_id: "giraffe-id",
    });
  });
});
