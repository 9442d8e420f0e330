import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { heightOf } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("the sidebar", () => {
  test("shows avatars 52 px high, and 66 px from 768 px up", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann);
    await expect(person.entry(bob)).toBeVisible();
    const avatars = [person.entry(bob).locator("img"), person.page.getByAltText("Koala").first()];
    for (const [width, height] of [
      [767, 52],
      [768, 66],
    ] as const) {
      await person.page.setViewportSize({ width, height: 800 });
      for (const avatar of avatars) await expect.poll(() => heightOf(avatar)).toBe(height);
    }
  });
});

test.describe("unread, order and preview", () => {
  test(
    "marks an entry unread until the thread is opened, and sends the read marker",
    CHROMIUM_ONLY,
    async ({ newPair, enter }) => {
      const { ann, bob, threadId } = await newPair();
      await bob.say(ann, "first", "second");
      const person = await enter(ann);
      await expect(person.entry(bob)).toContainText("2 unread messages");
      await bob.say(ann, "third");
      await expect(person.entry(bob)).toContainText("3 unread messages");
      const told = person.page.waitForRequest("**/messageoh/update_message_read");
      await person.openThread(bob);
      expect((await told).method()).toBe("PUT");
      expect((await told).postDataJSON()).toMatchObject({ thread_id: threadId });
      await expect(person.entry(bob)).not.toContainText("unread");
      await person.page.reload();
      await person.sees("third");
      await expect(person.entry(bob)).not.toContainText("unread");
    },
  );

  test("sorts friends by the most recent message, those without messages last", async ({ newUser, newPair, enter }) => {
    const { ann, bob } = await newPair();
    const [cid, dan] = await Promise.all([newUser("Cid"), newUser("Dan")]);
    const friends = [bob, cid, dan];
    for (const friend of friends) await ann.befriend(friend);
    await bob.say(ann, "older");
    await cid.say(ann, "newer");
    const person = await enter(ann);
    await expect.poll(() => person.order(friends)).toEqual([cid.name, bob.name, dan.name]);
    await dan.say(ann, "newest");
    await expect.poll(() => person.order(friends)).toEqual([dan.name, cid.name, bob.name]);
    await test.step("after a message of the user", async () => {
      await person.openThread(bob);
      await person.send("from me");
      await expect.poll(() => person.order(friends)).toEqual([bob.name, dan.name, cid.name]);
      await expect(person.entry(bob)).toContainText("from me");
    });
    await test.step("after a reload", async () => {
      await person.page.reload();
      await expect.poll(() => person.order(friends)).toEqual([bob.name, dan.name, cid.name]);
    });
  });
});
