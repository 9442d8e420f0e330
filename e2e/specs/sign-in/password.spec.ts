import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { uniqueName } from "../../support/names.ts";
import { Person } from "../../support/person.ts";
import { expect, test } from "../../support/test.ts";

const PASSWORD = "correct horse 4711";
const MESSAGE = "Hello Bob";

test(
  "sends the password on register and login only, and does not store it",
  CHROMIUM_ONLY,
  async ({ page, newUser }) => {
    const friend = await newUser("Bob");
    const name = uniqueName("Ann");
    const person = new Person(page, name);
    const carriers: string[] = [];
    const note = (what: string, text: string | null) => {
      if (text?.includes(PASSWORD) || text?.includes(encodeURIComponent(PASSWORD))) carriers.push(what);
    };
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      note(`${request.method()} ${pathname}`, request.postData());
      note(`address of ${pathname}`, request.url());
      note(`headers of ${pathname}`, JSON.stringify(request.headers()));
    });
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => note("websocket", String(payload)));
    });
    const stored = () =>
      page.evaluate(async () => {
        const databases = await indexedDB.databases();
        return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases, location.href]);
      });

    await test.step("register, add a friend, write, log out", async () => {
      await page.goto("/register");
      await page.getByPlaceholder("Username e.g. Albus212").fill(name);
      await page.getByPlaceholder("Password").fill(PASSWORD);
      await page.getByRole("radio", { name: "Koala" }).click();
      await page.getByRole("button", { name: "Register" }).click();
      await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
      expect(carriers).toEqual(["POST /messageoh/users"]);
      await person.addFriend(friend);
      await person.send(MESSAGE);
      await person.sees(MESSAGE);
      expect(await stored()).not.toContain(PASSWORD);
      await person.openAccountMenu();
      await page.getByText("Log out", { exact: true }).click();
      await expect(page).toHaveURL("/login");
    });

    await test.step("log in", async () => {
      await page.getByPlaceholder("Username").fill(name);
      await page.getByPlaceholder("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Log in" }).click();
      await expect(page.getByText(`Hi ${name}!`)).toBeVisible();
      expect(carriers).toEqual(["POST /messageoh/users", "POST /messageoh/login"]);
      expect(await stored()).not.toContain(PASSWORD);
    });
  },
);
