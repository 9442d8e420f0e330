import { hasNoViolation } from "../../support/axe.ts";
import { choose } from "../../support/messageMenu.ts";
import { expect, test } from "../../support/test.ts";

test("a message is forwarded by keyboard to a friend, who does not learn who wrote it", async ({ newTrio, enter }) => {
  const { ann, bob, cid } = await newTrio();
  await bob.say(ann, "The concert begins at eight");
  const [annsPage, cidsPage] = [
    await enter(ann, { path: `/home/${bob.id}` }),
    await enter(cid, { path: `/home/${ann.id}` }),
  ];
  const { page } = annsPage;
  await choose(annsPage, "The concert begins at eight", "Forward");
  const dialog = page.getByRole("dialog", { name: "Forward message" });
  await expect(dialog.getByLabel("Search friends")).toBeFocused();
  await page.keyboard.type(cid.name);
  await expect(dialog.getByRole("checkbox")).toHaveCount(1);
  await hasNoViolation(page, "forwarding");
  await dialog.getByRole("checkbox", { name: cid.name }).press("Space");
  await dialog.getByRole("button", { name: "Forward" }).press("Enter");
  await annsPage.sitsInThreadWith(cid);
  await annsPage.sees("The concert begins at eight");
  await expect(
    cidsPage.log.getByRole("article", { name: `${ann.name}, forwarded` }).getByText("Forwarded", { exact: true }),
  ).toBeVisible();
  await cidsPage.sees("The concert begins at eight");
  await expect(cidsPage.page.getByText(bob.name)).toHaveCount(0);
});

test("several messages are selected by keyboard and forwarded to several friends without a network", async ({
  newPair,
  newUser,
  enter,
}) => {
  const { ann, bob } = await newPair();
  const [cid, dan] = [await newUser("Cid"), await newUser("Dan")];
  await ann.befriend(cid);
  await ann.befriend(dan);
  await bob.say(ann, "eggs", "flour", "milk");
  const annsPage = await enter(ann, { path: `/home/${bob.id}` });
  const { page } = annsPage;
  await choose(annsPage, "milk", "Select");
  const bar = page.getByRole("group", { name: "Selected messages" });
  await expect(bar.getByText("1 selected")).toBeVisible();
  for (let count = 0; count < 2; count += 1) await page.keyboard.press("Shift+ArrowUp");
  await expect(bar.getByText("3 selected")).toBeVisible();
  await page.keyboard.press("Space");
  await expect(bar.getByText("2 selected")).toBeVisible();
  await test.step("a press anywhere on a message selects it or leaves it out", async () => {
    for (const count of [3, 2]) {
      await annsPage.message("eggs").click();
      await expect(bar.getByText(`${count} selected`)).toBeVisible();
    }
  });
  await hasNoViolation(page, "selected messages");
  await page.context().setOffline(true);
  await bar.getByRole("button", { name: "Forward" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Forward 2 messages" });
  for (const friend of [cid, dan]) await dialog.getByRole("checkbox", { name: friend.name }).press("Space");
  await dialog.getByRole("button", { name: "Forward" }).press("Enter");
  await expect(page.getByText("Forwarded to 2 friends")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.context().setOffline(false);
  for (const friend of [cid, dan]) {
    const friendsPage = await enter(friend, { path: `/home/${ann.id}` });
    await expect(friendsPage.log.getByRole("article")).toContainText(["flour", "milk"]);
    await expect(friendsPage.log.getByRole("article", { name: /, forwarded$/ })).toHaveCount(2);
  }
});
