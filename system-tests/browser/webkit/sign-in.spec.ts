import { uniqueName } from "../support/names.ts";
import { expect, test } from "./support/test.ts";

test("a visitor registers, logs out and logs in", async ({ open }) => {
  const window = await open();
  const name = uniqueName("Ann");
  await window.goto("/register");
  await window.type("Username e.g. Albus212", name);
  await window.type("Password", "a long password");
  await window.click("radio", "Koala");
  await window.click("button", "Register");
  await window.sees(`Hi ${name}!`);
  await window.click("button", /account/i);
  await window.click("menuitem", "Log out");
  await window.byRole("heading", "Log in to your account");
  await window.type("Username", name);
  await window.type("Password", "a wrong password");
  await window.click("button", "Log in");
  await window.byRole("alert");
  await (await window.byPlaceholder("Password")).clear();
  await window.type("Password", "a long password");
  await window.click("button", "Log in");
  await window.sees(`Hi ${name}!`);
});

test("a log-out in one tab opens the login in the other", async ({ open, pairAt }) => {
  const { ann } = await pairAt();
  const window = await open();
  await window.logIn(ann);
  const first = await window.driver.getWindowHandle();
  await window.driver.switchTo().newWindow("tab");
  await window.goto("/home");
  await window.click("button", /account/i);
  await window.click("menuitem", "Log out");
  await window.byRole("heading", "Log in to your account");
  await window.driver.switchTo().window(first);
  await window.byRole("heading", "Log in to your account");
  expect(await window.run("return localStorage.getItem('current-user-id')")).toBeNull();
});
