import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { SocketTap } from "../../support/socketTap.ts";
import { expect, test } from "../../support/test.ts";

test.describe("adding a friend", () => {
  test("finds users by name, except the user and friends", async ({ newUser, newPair, enter }) => {
    const { ann, bob } = await newPair();
    const cid = await newUser("Cid");
    const person = await enter(ann);
    const { page } = person;
    await person.startAddingFriend(cid.name);
    await expect(page.getByRole("heading", { name: "Add Friend", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: cid.name })).toBeVisible();
    for (const name of [ann.name, bob.name, "qzqz"]) {
      await page.getByPlaceholder("Search by username").fill(name);
      const nobody = `User called '${name}' doesn't exist or is already in your friend list`;
      await expect(page.getByText(nobody, { exact: true })).toBeVisible();
    }
    await test.step("'Back home' opens the list", async () => {
      await page.getByRole("link", { name: "Back home" }).click();
      await expect(page.getByPlaceholder("Search", { exact: true })).toBeVisible();
      await expect(person.entry(bob)).toBeVisible();
    });
  });

  test(
    "puts a confirmed friend on top with an open, empty thread and leaves the mode",
    CHROMIUM_ONLY,
    async ({ newUser, newPair, enter }) => {
      const { ann, bob } = await newPair();
      await bob.say(ann, "an older message");
      const cid = await newUser("Cid");
      let tap: SocketTap | undefined;
      const person = await enter(ann, {
        prepare: async ({ page }) => {
          tap = new SocketTap(page);
        },
      });
      const { page } = person;
      await expect(person.entry(bob)).toBeVisible();
      const called = page.waitForRequest("**/messageoh/add_friend");
      await person.addFriend(cid);
      expect((await called).method()).toBe("POST");
      expect((await called).postDataJSON()).toEqual({ user_id: ann.id, friend_id: cid.id });
      await expect(page.getByText("No messages here yet...")).toBeVisible();
      await expect(page.getByPlaceholder("Search by username")).toHaveCount(0);
      expect(await person.order([bob, cid])).toEqual([cid.name, bob.name]);
      await expect(page).toHaveURL(`/home/${cid.id}`);
      await test.step("the socket event contains the empty starting message of the thread", async () => {
        await expect.poll(() => tap?.payloads("add_friend").length).toBe(1);
        const [{ threadId } = { threadId: "" }] = [
          (await ann.call("POST", "/add_friend", { user_id: ann.id, friend_id: cid.id })).body as { thread_id: string },
        ].map(({ thread_id }) => ({ threadId: thread_id }));
        expect(tap?.payloads("add_friend")[0]).toMatchObject({
          current_user: { id: ann.id, name: ann.name, avatar_id: "koala-id" },
          new_friend_id: cid.id,
          message_thread: { threadId, messages: [{ text: "" }] },
        });
      });
    },
  );

  test("shows the user to the new friend at once, and both can write", async ({ newUser, enter }) => {
    const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
    const annAtHome = await enter(ann);
    const bobAtHome = await enter(bob);
    await expect(bobAtHome.page.getByText("No friends here yet...")).toBeVisible();
    await annAtHome.addFriend(bob);
    await bobAtHome.openThread(ann);
    await bobAtHome.send("Hello Ann");
    await annAtHome.sees("Hello Ann");
  });
});
