import { startGateway } from "../../../../gateway/testing/gateway.ts";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { inDataDir, partsOf } from "../../support/parts.ts";
import { expect, test } from "../../support/test.ts";

let gateway: Awaited<ReturnType<typeof startGateway>>;
test.beforeAll(async () => {
  const upstreams = {
    users: partsOf("svc-users"),
    messages: partsOf("svc-messages"),
    realtime: partsOf("svc-realtime"),
    media: partsOf("svc-media"),
  };
  const settings = { isHttps: true, www: inDataDir("www"), mediaDir: inDataDir("media") };
  gateway = await startGateway(upstreams, {}, settings);
});
test.afterAll(() => gateway.stop());

test("sets a __Host- cookie over HTTPS and connects the socket", CHROMIUM_ONLY, async ({ browser, newUser }) => {
  const ann = await newUser("Ann");
  const context = await browser.newContext({ baseURL: `https://localhost:${gateway.port}`, ignoreHTTPSErrors: true });
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
    { name: "messageoh_session_id", secure: true, httpOnly: false, sameSite: "Strict", path: "/" },
  ]);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  expect(received[0]).toMatch(/^wss:/);
  await page.reload();
  await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
  await context.close();
});
