import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { startHttpsGateway } from "../../support/httpsGateway.ts";
import { expect, test } from "../../support/test.ts";

let gateway: Awaited<ReturnType<typeof startHttpsGateway>>;
test.beforeAll(async () => {
  gateway = await startHttpsGateway();
});
test.afterAll(() => gateway.stop());

test("sets a __Host- cookie over HTTPS and connects the socket", CHROMIUM_ONLY, async ({ browser, newUser }) => {
  const ann = await newUser("Ann");
  const context = await browser.newContext({ baseURL: gateway.url, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const received: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", () => received.push(socket.url())));
  await page.goto("/login");
  await page.getByPlaceholder("Username").fill(ann.name);
  await page.getByPlaceholder("Password").fill("a long password");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  expect(await context.cookies()).toMatchObject([
    { name: "__Host-messageoh_session", secure: true, httpOnly: true, sameSite: "Strict", path: "/" },
    { name: "__Host-messageoh_device", secure: true, httpOnly: true, sameSite: "Strict", path: "/" },
  ]);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  expect(received[0]).toMatch(/^wss:/);
  await page.reload();
  await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  await context.close();
});
