import type { Message } from "@messageoh/contracts/messages";
import { hasNoViolation } from "../../support/axe.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { bothChat, choose } from "../../support/messageMenu.ts";
import type { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

test("a reply shows what it is for, jumps to it, and follows its edits and its deletion", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.ann.say(pair.bob, "Tea or coffee?");
  const { ann, bob } = await bothChat(pair, enter);
  await choose(bob, "Tea or coffee?", "Reply");
  await expect(bob.composer).toBeFocused();
  await expect(bob.page.getByRole("button", { name: "Cancel reply" })).toBeVisible();
  await bob.page.keyboard.type("Tea, please");
  await bob.page.keyboard.press("Enter");
  const reply = ann.message("Tea, please");
  await expect(reply.getByRole("button", { name: "Tea or coffee?" })).toBeVisible();
  await hasNoViolation(ann.page, "a reply");
  await reply.getByRole("button", { name: "Tea or coffee?" }).click();
  await expect(ann.message("Tea or coffee?").first()).toHaveAttribute("data-highlighted", "true");
  await choose(ann, "Tea or coffee?", "Edit");
  await expect(ann.composer).toHaveValue("Tea or coffee?");
  await ann.composer.fill("Tea or milk?");
  await ann.page.keyboard.press("Enter");
  await expect(bob.message("Tea, please").getByRole("button", { name: "Tea or milk?" })).toBeVisible();
  await choose(ann, "Tea or milk?", "Delete");
  await ann.page.getByRole("button", { name: "Delete for everyone" }).click();
  await expect(bob.message("Tea, please").getByRole("button", { name: "Message deleted" })).toBeVisible();
  await expect(bob.page.getByText("Tea or milk?")).toHaveCount(0);
});

test("an edit reaches the friend with a mark, and both can open the history", async ({ newPair, enter }) => {
  const pair = await newPair();
  const { ann, bob } = await bothChat(pair, enter);
  await ann.send("See you at noon");
  await bob.sees("See you at noon");
  await ann.composer.press("ArrowUp");
  await expect(ann.page.getByRole("button", { name: "Cancel edit" })).toBeVisible();
  await expect(ann.composer).toHaveValue("See you at noon");
  await hasNoViolation(ann.page, "an edit");
  await ann.composer.fill("See you at one");
  await ann.composer.press("Enter");
  await expect(ann.composer).toHaveValue("");
  await bob.sees("See you at one");
  await bob.message("See you at one").getByRole("button", { name: "Edited" }).click();
  const history = bob.page.getByRole("dialog", { name: "Edit history" });
  await expect(history.getByText("See you at noon")).toBeVisible();
  await hasNoViolation(bob.page, "the history of a message");
  await bob.page.keyboard.press("Escape");
  await expect(history).toHaveCount(0);
  const bobsPhone = await enter(pair.bob, { path: `/home/${pair.ann.id}` });
  await bobsPhone.sees("See you at one");
});

test("a deletion asks once, leaves a tombstone for both, and empties previews and searches", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  const { ann, bob } = await bothChat(pair, enter);
  await ann.send("a secret");
  await bob.sees("a secret");
  await choose(ann, "a secret", "Delete");
  const dialog = ann.page.getByRole("dialog", { name: "Delete message?" });
  await expect(dialog.getByText("Both of you will see that a message was deleted.")).toBeVisible();
  await hasNoViolation(ann.page, "the question before a deletion");
  await ann.page.getByRole("button", { name: "Delete for everyone" }).click();
  for (const person of [ann, bob]) {
    await person.sees("Message deleted");
    await expect(person.page.getByText("a secret")).toHaveCount(0);
  }
  await expect(bob.entry(ann)).toContainText("Message deleted");
  await hasNoViolation(bob.page, "a deleted message");
  await bob.search("secret");
  await expect(bob.page.getByText("No result for 'secret'")).toBeVisible();
});

test("a message deleted for oneself can be brought back, is gone on every own device, and stays with the friend", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  const { ann, bob } = await bothChat(pair, enter);
  await bob.send("too much");
  await ann.sees("too much");
  const deleteForMe = async (look = async () => {}) => {
    await choose(ann, "too much", "Delete");
    const dialog = ann.page.getByRole("dialog", { name: "Delete message?" });
    await expect(dialog.getByText("Only you will not see it any more.")).toBeVisible();
    await look();
    await dialog.getByRole("button", { name: "Delete for me" }).click();
    await expect(ann.message("too much")).toHaveCount(0);
  };
  await deleteForMe(() => hasNoViolation(ann.page, "the question before a message is hidden"));
  await ann.page.getByRole("button", { name: "Undo" }).click();
  await ann.sees("too much");
  await expect(ann.composer).toBeFocused();
  await deleteForMe();
  await hasNoViolation(ann.page, "the offer to undo");
  const other = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  await expect(other.page.getByText("No messages here yet...")).toBeVisible();
  await expect(other.page.getByText("too much")).toHaveCount(0);
  await bob.page.reload();
  await bob.sees("too much");
});

test("a reaction is chosen with the keyboard, shows at the friend, and is taken back by a click", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.ann.say(pair.bob, "It works");
  const { ann, bob } = await bothChat(pair, enter);
  await choose(bob, "It works", "React");
  await expect(bob.page.getByRole("button", { name: "Thumbs up" })).toBeFocused();
  await bob.page.keyboard.press("ArrowRight");
  await bob.page.keyboard.press("Enter");
  const chip = (person: Person) => person.message("It works").getByRole("button", { name: /❤️/ });
  await expect(chip(bob)).toHaveAttribute("aria-pressed", "true");
  await expect(chip(ann)).toHaveAttribute("aria-pressed", "false");
  await hasNoViolation(ann.page, "a reaction");
  await chip(ann).click();
  await expect(chip(ann)).toHaveAttribute("aria-pressed", "true");
  await chip(bob).click();
  await expect(chip(bob)).toHaveAttribute("aria-pressed", "false");
});

test("changes made without a network reach the friend afterwards, in order", async ({ newPair, enter }) => {
  const { ann, bob } = await bothChat(await newPair(), enter);
  await ann.send("first");
  await ann.send("second");
  await bob.sees("second");
  // Nothing that Ann has sent is still on its way.
  await expect(ann.message("second").getByRole("img", { name: "Read", exact: true })).toBeVisible();
  await ann.page.context().setOffline(true);
  await choose(ann, "first", "Edit");
  await ann.composer.fill("first, edited");
  await ann.composer.press("Enter");
  await ann.sees("first, edited");
  await choose(ann, "second", "Delete");
  await ann.page.getByRole("button", { name: "Delete for everyone" }).click();
  await ann.sees("Message deleted");
  await bob.sees("second");
  await ann.page.context().setOffline(false);
  await bob.sees("first, edited");
  await bob.sees("Message deleted");
});

test("a client of the specification gets each message once, and changes with its next list", async ({
  newPair,
  enter,
}) => {
  const pair = await newPair();
  await pair.bob.connect();
  const ann = await enter(pair.ann, { path: `/home/${pair.bob.id}` });
  await ann.send("wrong");
  // Otherwise the edit would be sent with the message.
  await expect(ann.message("wrong").getByRole("img", { name: /^(Sent|Delivered)$/ })).toBeVisible();
  await ann.composer.press("ArrowUp");
  await ann.composer.fill("right");
  await ann.composer.press("Enter");
  await ann.sees("right");
  await choose(ann, "right", "React");
  await expect(ann.page.getByRole("button", { name: "Thumbs up" })).toBeFocused();
  await ann.page.keyboard.press("Enter");
  await expect(ann.message("right").getByRole("button", { name: /👍/ })).toBeVisible();
  const listed = async () => {
    const { body } = await pair.bob.call("GET", `/messages/${pair.bob.id}`);
    return (body as Pick<Message, "text" | "reactions">[]).map(({ text, reactions }) => ({ text, reactions }));
  };
  // Ann sees her changes before they are stored.
  await expect.poll(listed).toEqual([{ text: "right", reactions: [{ user_id: pair.ann.id, emoji: "👍" }] }]);
  expect(pair.bob.payloads<Message>("receive_message").map(({ text }) => text)).toEqual(["wrong"]);
});

test(
  "on a phone a long press opens the menu, and a swipe to the right replies",
  CHROMIUM_ONLY,
  async ({ newPair, enter }) => {
    const pair = await newPair();
    await pair.ann.say(pair.bob, "Hold me");
    const viewport = { width: 390, height: 844 };
    const bob = await enter(pair.bob, { path: `/home/${pair.ann.id}`, hasTouch: true, viewport });
    const { page } = bob;
    const { x, y, height } = (await bob.message("Hold me").locator("time").boundingBox()) ?? { x: 0, y: 0, height: 0 };
    const at = { x: x - 20, y: y + height / 2 };
    const devTools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", right = 0) => {
      const touchPoints = type === "touchEnd" ? [] : [{ x: at.x + right, y: at.y }];
      return devTools.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    await touch("touchStart");
    await expect(page.getByRole("menuitem").first()).toBeVisible();
    await touch("touchEnd");
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
      "Reply",
      "React",
      "Forward",
      "Copy text",
      "Copy link",
      "Pin",
      "Star",
      "Select",
      "Delete",
    ]);
    await page.getByRole("menuitem", { name: "React" }).tap();
    await page.getByRole("button", { name: "Thumbs up" }).tap();
    await expect(bob.message("Hold me").getByRole("button", { name: /👍/ })).toBeVisible();
    await touch("touchStart");
    for (let right = 8; right <= 80; right += 8) await touch("touchMove", right);
    await touch("touchEnd");
    await expect(page.getByRole("button", { name: "Cancel reply" })).toBeVisible();
  },
);
