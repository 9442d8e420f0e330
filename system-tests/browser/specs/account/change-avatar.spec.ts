import { isPink } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("changing the avatar", () => {
  test("fills the window with the picker, Save and a close icon", async ({ newUser, enter }) => {
    const person = await enter(await newUser("Ann"));
    const { page } = person;
    await person.openAccountMenu();
    await page.getByText("Change avatar", { exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("heading", { name: "Choose your new avatar", exact: true })).toBeVisible();
    await expect(dialog.getByRole("radio")).toHaveCount(18);
    await expect(dialog.getByRole("button", { name: "Save" })).toBeVisible();
    const box = await dialog.boundingBox();
    expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([1280, 800]);
    expect(await isPink(dialog.getByRole("radio", { name: "Koala" }), "border-top-color")).toBe(true);
    await dialog.getByRole("radio", { name: "Fox", exact: true }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByAltText("Koala")).toBeVisible();
  });
});
