import { heightOf } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

test.describe("the layout", () => {
  test("shows list and thread side by side from 768 px up, one of them below", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "Hello Ann");
    const person = await enter(ann, { viewport: { width: 767, height: 800 } });
    const { page } = person;
    const back = page.getByRole("button", { name: "Back" });
    await expect(person.entry(bob)).toBeVisible();
    await expect(person.composer).toHaveCount(0);

    await test.step("the thread replaces the list, and the arrow opens the list", async () => {
      await person.openThread(bob);
      await person.sees("Hello Ann");
      await expect(person.entry(bob)).toHaveCount(0);
      await expect(page.getByPlaceholder("Search")).not.toBeVisible();
      await back.click();
      await expect(person.entry(bob)).toBeVisible();
      await expect(person.log).toHaveCount(0);
    });
    await test.step("768 px shows both, without the arrow", async () => {
      await person.openThread(bob);
      await expect(back).toBeVisible();
      await page.setViewportSize({ width: 768, height: 800 });
      await expect(person.entry(bob)).toBeVisible();
      await person.sees("Hello Ann");
      await expect(back).toHaveCount(0);
      const [list, log] = [await person.entry(bob).boundingBox(), await person.log.boundingBox()];
      expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(log?.x ?? 0);
    });
    await test.step("767 px shows the thread alone again", async () => {
      await page.setViewportSize({ width: 767, height: 800 });
      await expect(back).toBeVisible();
      await expect(person.entry(bob)).toHaveCount(0);
    });
  });

  test("keeps the focus in the composer while the window crosses 768 px", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann, { path: `/home/${bob.id}` });
    await expect(person.composer).toBeFocused();
    for (const width of [767, 768]) {
      await person.page.setViewportSize({ width, height: 800 });
      await expect(person.page.getByRole("button", { name: "Back" })).toHaveCount(width < 768 ? 1 : 0);
      await person.page.keyboard.type(`${width} `);
    }
    await expect(person.composer).toHaveValue("767 768 ");
  });

  test("shows nine friends of equal height in a window of 1280 by 800 px", async ({ newTrio, enter }) => {
    const { ann, bob, cid } = await newTrio();
    await bob.say(ann, "nine words which are much too long for one ".repeat(3));
    const person = await enter(ann, { viewport: { width: 390, height: 844 } });
    const heightsOf = () => Promise.all([bob, cid].map((friend) => heightOf(person.entry(friend))));
    const [first, second] = await heightsOf();
    expect(first).toBe(second);
    await person.page.setViewportSize({ width: 1280, height: 800 });
    const boxes = await Promise.all([bob, cid].map(async (friend) => await person.entry(friend).boundingBox()));
    const [top = 0, height = 0] = [boxes[0]?.y, boxes[0]?.height];
    expect(boxes[1]?.height).toBe(height);
    const frame = await person.page.getByRole("navigation", { name: "Friends" }).boundingBox();
    expect(top + 9 * height).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  });

  test("changes only the look at 1024 px", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const person = await enter(ann, { path: `/home/${bob.id}` });
    await expect(person.composer).toBeVisible();
    const outline = async (width: number) => {
      await person.page.setViewportSize({ width, height: 800 });
      return (await person.page.getByRole("main").ariaSnapshot()).replaceAll(/\/url:.*/g, "");
    };
    expect(await outline(1023)).toBe(await outline(1024));
  });
});
