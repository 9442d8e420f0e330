import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../../support/test.ts";

let server: Server;
test.beforeAll(async () => {
  server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => server.close());

// Another port is another origin but the same site, so the browser sends SameSite=Strict cookies, and the server must
// check the origin.
for (const { host, getsCookie } of [
  { host: "127.0.0.1", getsCookie: false },
  { host: "localhost", getsCookie: true },
]) {
  test(`lets a page of another origin (${host}) neither read, write nor open a socket`, async ({
    newPair,
    newUser,
    enter,
    baseURL,
  }) => {
    const { ann, bob } = await newPair();
    const eve = await newUser("Eve");
    const { page } = await enter(ann);
    await expect(page.getByText(`Hi ${ann.name}!`)).toBeVisible();
    const at = { base: baseURL ?? "", annId: ann.id, eveId: eve.id };
    // Control: the same requests succeed on the product's own page.
    const own = await page.evaluate(callAndConnect, { ...at, avatarId: "cat-id" });
    expect(own).toEqual({ read: "done", changed: "done", polled: "done", socket: "done" });

    await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
    const foreign = await page.evaluate(callAndConnect, { ...at, avatarId: "snake-id" });
    expect(foreign).toEqual({ read: "failed", changed: "failed", polled: "failed", socket: "failed" });
    const answer = page.waitForResponse("**/messageoh/add_friend");
    expect(await page.evaluate(plant, at)).toBe("failed");
    const { cookie = "" } = await (await answer).request().allHeaders();
    expect([(await answer).status(), cookie.includes("messageoh_session=")]).toEqual([403, getsCookie]);

    expect((await ann.call("GET", `/users/${ann.id}`)).body).toMatchObject({ avatar_id: "cat-id" });
    expect((await ann.call("GET", `/friends/${ann.id}`)).body).toMatchObject([{ id: bob.id }]);
  });
}

interface At {
  base: string;
  annId: string;
  eveId: string;
}

/** Runs in a page: requests of scripts with the visitor's cookies. */
async function callAndConnect({ base, annId, avatarId }: At & { avatarId: string }) {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      () => "failed",
    );
  const read = (path: string, init: RequestInit = {}) =>
    fetch(base + path, { credentials: "include", ...init }).then((answer) => answer.text());
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ avatar_id: avatarId });
  const socket = new WebSocket(`${base.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`);
  const opened = new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return {
    read: await outcome(read(`/messageoh/messages/${annId}`)),
    changed: await outcome(read(`/messageoh/users/${annId}`, { method: "PUT", headers, body })),
    polled: await outcome(read("/socket.io/?EIO=4&transport=polling")),
    socket: await outcome(opened),
  };
}

/** Runs in a page: a script tag that polls, and a form whose plain text looks like JSON, which need no CORS. */
async function plant({ base, annId, eveId }: At) {
  const script = document.createElement("script");
  script.src = `${base}/socket.io/?EIO=4&transport=polling&j=0`;
  document.head.append(script);
  const polled = await new Promise((resolve) => {
    script.addEventListener("load", () => resolve("done"));
    script.addEventListener("error", () => resolve("failed"));
  });
  const body = JSON.stringify({ user_id: annId, friend_id: eveId });
  const form = document.createElement("form");
  Object.assign(form, {
    method: "POST",
    enctype: "text/plain",
    target: "answer",
    action: `${base}/messageoh/add_friend`,
  });
  form.append(Object.assign(document.createElement("input"), { name: body.slice(0, 20), value: body.slice(20) }));
  document.body.append(form, Object.assign(document.createElement("iframe"), { name: "answer" }));
  form.submit();
  return polled;
}
