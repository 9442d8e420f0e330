import { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

test("lets two people register, become friends, chat both ways, reload and log out", async ({ browser }) => {
  const ann = await Person.register(browser, "Ann");
  const bob = await Person.register(browser, "Bob");

  await test.step("Ann adds Bob, and Bob sees Ann appear", async () => {
    await ann.addFriend(bob);
    await bob.openThread(ann);
  });
  await test.step("they chat both ways", async () => {
    await ann.send("Hello Bob 🦊");
    await bob.sees("Hello Bob 🦊");
    await bob.send("Hello Ann");
    await ann.sees("Hello Ann");
  });
  await test.step("the history is there after a reload", async () => {
    await bob.page.reload();
    await bob.sees("Hello Bob 🦊");
    await bob.sees("Hello Ann");
  });
  await test.step("logging out opens the login page and blocks Back", async () => {
    await bob.page.getByRole("button", { name: /account|avatar/i }).click();
    await bob.page.getByRole("menuitem", { name: "Log out" }).click();
    await expect(bob.page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
    await bob.page.goto("/home");
    await expect(bob.page.getByRole("heading", { name: "Log in to your account" })).toBeVisible();
  });
  await ann.close();
  await bob.close();
});
