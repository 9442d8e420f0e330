import type { Locator } from "@playwright/test";
import { style } from "../../support/looks.ts";
import { expect, test } from "../../support/test.ts";

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not shown");
  return { ...box, bottom: box.y + box.height };
}

test.describe("a thread looks calm", () => {
  test("its messages reach the composer, and nothing moves while the friend types", async ({ newPair, enter }) => {
    const { ann, bob, threadId } = await newPair();
    await bob.say(ann, ...Array.from({ length: 40 }, (_, index) => `message ${index + 1}`));
    await ann.call("PUT", "/update_message_read", { thread_id: threadId });
    const person = await enter(ann, { path: `/home/${bob.id}` });
    await expect(person.message("message 40")).toBeInViewport();
    const measure = async () => [
      await boxOf(person.message("message 40")),
      await boxOf(person.log),
      await boxOf(person.composer),
    ];
    // A list that has just opened may still scroll.
    await expect(async () => {
      const once = await measure();
      await person.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      expect(await measure()).toEqual(once);
    }).toPass();
    const before = await measure();
    const socket = bob.socket ?? (await bob.connect());
    await socket.timeout(10_000).emitWithAck("join_room", { sending_user_id: bob.id, recipient_user_id: ann.id });
    socket.emit("typing", { thread_id: threadId, is_typing: true });
    await expect(person.page.getByText(`${bob.name} is typing...`)).toBeInViewport();
    expect(await measure()).toEqual(before);
    const foot = await boxOf(person.composer.locator("xpath=ancestor::form"));
    expect(Math.abs((before[1]?.bottom ?? 0) - foot.y)).toBeLessThan(1);
  });

  test("the button to the new messages is in the corner of the list and takes no space from it", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, ...Array.from({ length: 40 }, (_, index) => `message ${index + 1}`));
    const person = await enter(ann, { path: `/home/${bob.id}` });
    const button = person.page.getByRole("button", { name: /new messages$/ });
    await expect(button).toHaveText(/^\d+ unread messages$/);
    const [log, corner] = [await boxOf(person.log), await boxOf(button)];
    const foot = await boxOf(person.composer.locator("xpath=ancestor::form"));
    expect(Math.abs(log.bottom - foot.y)).toBeLessThan(1);
    expect([corner.width, corner.height]).toEqual([44, 44]);
    expect(log.bottom - corner.bottom).toBeLessThan(24);
    expect(log.x + log.width - corner.x - corner.width).toBeLessThan(32);
  });

  test("its scrollbars have the colour of borders and no track, also in the composer and a dialog", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    await bob.say(ann, "message 1");
    const person = await enter(ann, { path: `/home/${bob.id}` });
    const colours = await style(person.log, "scrollbar-color");
    expect(colours).toMatch(/ (?:rgba\(0, 0, 0, 0\)|transparent)$/);
    expect(await style(person.composer, "scrollbar-color")).toBe(colours);
    expect(await style(await person.openSettings("Sessions"), "scrollbar-color")).toBe(colours);
  });

  test("stacked marks stay in their bubble, emoji alone are large, and a long name has one line", async ({
    newPair,
    enter,
  }) => {
    const { ann, bob } = await newPair();
    const stacked = `Z${"\u0301\u0316".repeat(40)}algo`;
    await bob.say(ann, "plain text", stacked, "\u{1F98A}");
    const person = await enter(ann, { path: `/home/${bob.id}`, viewport: { width: 390, height: 844 } });
    await expect(person.message("plain text")).toBeVisible();
    const bubble = (text: string) => person.message(text).locator("div:has(> [dir=auto])");
    expect(await style(bubble(stacked), "overflow-y")).toBe("clip");
    const height = async (text: string) => (await boxOf(bubble(text))).height;
    expect(await height(stacked)).toBe(await height("plain text"));
    expect(await height("\u{1F98A}")).toBeGreaterThan(1.4 * (await height("plain text")));
    const heading = person.page.getByRole("heading", { name: bob.name });
    const line = (await boxOf(heading)).height;
    await heading.evaluate((element) => element.append(" von Hohenstein".repeat(4)));
    expect((await boxOf(heading)).height).toBe(line);
  });

  test("the time is beside the text in each direction of the layout and of the text", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const texts = [
      "See you",
      "\u05dc\u05d4\u05ea\u05e8\u05d0\u05d5\u05ea",
      "*\u05dc\u05d4\u05ea\u05e8\u05d0\u05d5\u05ea*\n- soon",
    ];
    await bob.say(ann, ...texts);
    const { page, log } = await enter(ann, { path: `/home/${bob.id}` });
    for (const direction of ["ltr", "rtl"]) {
      await page.evaluate((chosen) => localStorage.setItem("messageoh:direction", chosen), direction);
      await page.reload();
      await expect(page.locator("html")).toHaveAttribute("dir", direction);
      await expect(log.getByRole("article")).toHaveCount(texts.length);
      const covered = await log.getByRole("article").evaluateAll(
        (rows) =>
          rows.filter((row) => {
            const range = document.createRange();
            range.selectNodeContents(row.querySelector("[dir=auto] > *") as Element);
            const time = (row.querySelector("time") as Element).getBoundingClientRect();
            return [...range.getClientRects()].some(
              ({ left, right, top, bottom }) =>
                left < time.right && right > time.left && top < time.bottom && bottom > time.top,
            );
          }).length,
      );
      expect(covered).toBe(0);
    }
  });

  test("a text that is cut ends at its own end in a layout from right to left", async ({ newPair, enter }) => {
    const { ann, bob, threadId } = await newPair();
    await bob.say(ann, "See you");
    const { page, log } = await enter(ann, { path: `/home/${bob.id}` });
    await page.evaluate(() => localStorage.setItem("messageoh:direction", "rtl"));
    await page.reload();
    await expect(log.getByRole("article")).toHaveCount(1);
    const reversed = () =>
      page.locator("body *").evaluateAll((elements) =>
        elements
          .filter((element) => {
            const { direction, textOverflow, webkitLineClamp } = getComputedStyle(element);
            const isCut = textOverflow === "ellipsis" || webkitLineClamp !== "none";
            return isCut && direction === "rtl" && element.textContent !== "";
          })
          .map((element) => element.textContent),
      );
    const socket = bob.socket ?? (await bob.connect());
    await socket.timeout(10_000).emitWithAck("join_room", { sending_user_id: bob.id, recipient_user_id: ann.id });
    socket.emit("typing", { thread_id: threadId, is_typing: true });
    await expect(page.getByText(`${bob.name} is typing...`)).toBeInViewport();
    expect(await reversed()).toEqual([]);
    bob.close();
    await expect(page.getByText(/^Last seen/)).toBeVisible();
    expect(await reversed()).toEqual([]);
  });
});
