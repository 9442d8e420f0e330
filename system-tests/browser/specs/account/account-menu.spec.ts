import { expect, test } from "../../support/test.ts";

test.describe("the account menu", () => {
  test("'Log out' clears the stored id, opens /login and blocks Back", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    const { page } = person;
    await person.openThread(bob);
    await person.composer.fill("a draft that nobody else may read");
    await person.openAccountMenu();
    await page.getByText("Log out", { exact: true }).click();
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    await expect(page).toHaveURL("/login");
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/current-user-id|draft/);
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    expect((await page.request.get(`/messageoh/users/${ann.id}`)).status()).toBe(401);
  });
});
