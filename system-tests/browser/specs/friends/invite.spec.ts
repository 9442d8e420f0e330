import { uniqueName } from "../../support/names.ts";
import { expect, test } from "../../support/test.ts";

test.describe("a link to add somebody", () => {
  test("leads a newcomer through registration to the new friend", async ({ browser, newUser, enter }) => {
    const ann = await newUser("Ann");
    const { page } = await enter(ann);
    await page.getByRole("button", { name: "Share my link" }).click();
    const link = (await page.getByText(/\/home\?invite=/).innerText()).trim();

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(link);
    await visitor.getByRole("link", { name: "Register" }).click();
    const name = uniqueName("Newcomer");
    await visitor.getByPlaceholder("Username e.g. Albus212").fill(name);
    await visitor.getByPlaceholder("Password").fill("a long password");
    await visitor.getByRole("radio", { name: "Koala" }).click();
    await visitor.getByRole("button", { name: "Register" }).click();
    const question = visitor.getByRole("dialog");
    await expect(question.getByText(ann.name)).toBeVisible();
    await visitor.keyboard.press("Enter");
    await expect(visitor.getByRole("region", { name: `Thread with ${ann.name}` })).toBeVisible();
    await expect(visitor).toHaveURL(`/home/${ann.id}`);
    await visitor.context().close();
  });

  test("keeps Back on /home after Cancel, and no longer works after a renewal", async ({ newUser, enter }) => {
    const [ann, bob] = await Promise.all([newUser("Ann"), newUser("Bob")]);
    const { token } = (await ann.call("GET", `/users/${ann.id}/invite`)).body as { token: string };
    const { page } = await enter(bob, { path: `/home?invite=${token}` });
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL("/home");
    await ann.call("POST", `/users/${ann.id}/invite`);
    await page.goto(`/home?invite=${token}`);
    await expect(page.getByText("This link is not valid any more. Ask for a new one")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL("/home");
  });
});
