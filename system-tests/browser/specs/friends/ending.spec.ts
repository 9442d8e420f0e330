import { expect, test } from "../../support/test.ts";

test.describe("ending a friendship", () => {
  test("removes the thread for both at once, and the messages come back when the two are friends again", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    await ann.say(bob, "Before the quarrel");
    const [annAtHome, bobAtHome] = [await enter(ann), await enter(bob)];
    await annAtHome.openThread(bob);
    await bobAtHome.openThread(ann);

    await test.step("Bob blocks Ann", async () => {
      await bobAtHome.page.getByRole("button", { name: `Menu of the thread with ${ann.name}` }).click();
      await bobAtHome.page.getByRole("menuitem", { name: "Block" }).click();
      await bobAtHome.page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
      for (const { page } of [annAtHome, bobAtHome]) {
        await expect(page.getByText("No friends here yet...")).toBeVisible();
        await expect(page).toHaveURL("/home");
      }
    });

    await test.step("Ann cannot find Bob", async () => {
      await annAtHome.startAddingFriend(bob.name);
      const nobody = `User called '${bob.name}' doesn't exist or is already in your friend list`;
      await expect(annAtHome.page.getByText(nobody, { exact: true })).toBeVisible();
      await annAtHome.page.getByRole("link", { name: "Back home" }).click();
    });

    await test.step("Bob unblocks Ann, who adds him again", async () => {
      await bobAtHome.openSettings("Privacy");
      await bobAtHome.page.getByRole("button", { name: `Unblock ${ann.name}` }).click();
      await expect(bobAtHome.page.getByText("You have not blocked anybody.")).toBeVisible();
      await bobAtHome.page.keyboard.press("Escape");
      await bobAtHome.page.keyboard.press("Escape");
      await annAtHome.addFriend(bob);
      await annAtHome.sees("Before the quarrel");
    });

    await test.step("Bob sees that Ann added him, and answers", async () => {
      await bobAtHome.openThread(ann);
      await bobAtHome.sees("Before the quarrel");
      const notice = bobAtHome.page.getByRole("region", { name: "New friend" });
      await expect(notice).toContainText(`${ann.name} added you`);
      await bobAtHome.send("Hello again");
      await expect(notice).toHaveCount(0);
      await annAtHome.sees("Hello again");
    });
  });
});
