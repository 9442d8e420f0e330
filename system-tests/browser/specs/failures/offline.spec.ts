import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { expect, test } from "../../support/test.ts";

test(
  "keeps the page and all pictures offline, and starts searches when the network is back",
  CHROMIUM_ONLY,
  async ({ newUser, enter }) => {
    const [ann, cid] = await Promise.all([newUser("Ann"), newUser("Cid")]);
    const person = await enter(ann);
    const { page } = person;
    await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
    await expect(page.getByText("No friends here yet...")).toBeVisible();
    const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").length);
    const loadedInASecond = async () => {
      const before = await loaded();
      await page.waitForTimeout(1_000);
      return (await loaded()) - before;
    };
    await expect.poll(loadedInASecond).toBe(0);
    await page.context().setOffline(true);
    const banner = page.getByText("You are offline. Messages will be sent when the connection is back.");
    await expect(banner).toBeVisible();

    await test.step("the animals to choose from", async () => {
      await person.openAccountMenu();
      await page.getByRole("menuitem", { name: "Change avatar" }).click();
      const animals = page.getByRole("dialog").getByRole("radiogroup").locator("img");
      await expect(animals).toHaveCount(18);
      await expect
        .poll(() =>
          animals.evaluateAll((images: HTMLImageElement[]) => images.filter((one) => one.naturalWidth > 0).length),
        )
        .toBe(18);
      await page.getByRole("button", { name: "Close" }).click();
    });
    await test.step("a search for users", async () => {
      await person.startAddingFriend(cid.name);
      await expect(
        page.getByText("You are offline. Users will be searched when the connection is back."),
      ).toBeVisible();
      await expect(banner).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await page.context().setOffline(false);
      await expect(page.getByRole("button", { name: cid.name })).toBeVisible();
    });
  },
);

test("lets a full-screen error be closed, and retries when the browser is online", async ({ newUser, enter }) => {
  const [ann, cid] = await Promise.all([newUser("Ann"), newUser("Cid")]);
  const person = await enter(ann);
  const { page } = person;
  await page.route("**/messageoh/users?*", (route) => route.abort());
  const cover = page.getByRole("dialog", { name: "Something went wrong with your request" });
  await person.startAddingFriend(cid.name);
  await cover.getByRole("button", { name: "Close" }).click();
  await expect(cover).toHaveCount(0);
  await expect(page.getByPlaceholder("Search", { exact: true })).toBeVisible();
  await person.startAddingFriend(cid.name);
  await expect(cover).toBeVisible();
  await page.unroute("**/messageoh/users?*");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.getByRole("button", { name: cid.name })).toBeVisible();
});
