import { expect, test } from "../../support/test.ts";

test.describe("the state of the page", () => {
  test("gives each thread a link, and Back and Forward open the previous threads", async ({ newTrio, enter }) => {
    const { ann, bob, cid } = await newTrio();
    const person = await enter(ann);
    const { page } = person;
    await person.openThread(bob);
    await expect(page).toHaveURL(`/home/${bob.id}`);
    await person.openThread(cid);
    await expect(page).toHaveURL(`/home/${cid.id}`);
    await page.goBack();
    await person.sitsInThreadWith(bob);
    await page.goBack();
    await expect(page).toHaveURL("/home");
    await expect(person.composer).toHaveCount(0);
    await page.goForward();
    await person.sitsInThreadWith(bob);
    await page.reload();
    await person.sitsInThreadWith(bob);
    await test.step("the link of a user who is not a friend opens /home", async () => {
      await page.goto("/home/nobody");
      await expect(page).toHaveURL("/home");
      await expect(person.entry(bob)).toBeVisible();
    });
    await test.step("Esc in the composer closes the thread and focuses its row", async () => {
      await person.openThread(bob);
      await person.composer.press("Escape");
      await expect(page).toHaveURL("/home");
      await expect(person.entry(bob)).toBeFocused();
    });
  });

  test("ignores dropped files and accepts dropped text", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading")).toBeVisible();
    const refused = await page.evaluate(() =>
      [new File(["a"], "a.txt"), null].map((file) => {
        const dataTransfer = new DataTransfer();
        if (file) dataTransfer.items.add(file);
        else dataTransfer.setData("text/plain", "a");
        const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        return event.defaultPrevented;
      }),
    );
    expect(refused).toEqual([true, false]);
  });

  test("keeps the focus in the search box while a thread loads", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const person = await enter(ann, {
      path: `/home/${bob.id}`,
      prepare: ({ page }) =>
        page.route("**/messageoh/friends/*", async (route) => {
          await held;
          await route.continue();
        }),
    });
    const box = person.page.getByPlaceholder("Search");
    await box.focus();
    answer();
    await expect(person.composer).toBeVisible();
    await expect(box).toBeFocused();
  });
});
