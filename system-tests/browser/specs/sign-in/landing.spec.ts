import { heightOf, widthOf } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("the landing page", () => {
  test("welcomes with heading, tagline, message icon and two actions", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Welcome to Messageoh!", exact: true })).toBeVisible();
    await expect(page.getByText("The instant Messageoh that keeps you connected", { exact: true })).toBeVisible();
    const icon = page.getByRole("heading").locator("xpath=..").locator("img");
    await expect(icon).toBeVisible();
    expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(page.getByRole("button")).toHaveText(["Log in", "Register"]);
  });

  test("has a card of the specified size on phones, tablets and desktops", async ({ page }) => {
    await page.goto("/");
    const card = page.getByRole("heading").locator("xpath=..");
    await expect(card).toBeVisible();
    for (const [device, width, cardHeight, cardWidth] of [
      ["a phone", 390, 300, 390 - 2 * 16],
      ["a tablet", 600, 300, Math.round(600 * 0.7)],
      ["a small desktop", 768, 350, 550],
      ["a desktop", 1600, 350, 550],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(async () => [await widthOf(card), await heightOf(card)], device)
        .toEqual([cardWidth, cardHeight]);
    }
  });

  test("loads no file of the remotes", async ({ page }) => {
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto("/", { waitUntil: "networkidle" });
    expect(addresses.filter((address) => /mfe-(auth|chat)/.test(address))).toEqual([]);
  });
});
