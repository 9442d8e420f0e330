import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { SocketTap } from "../../support/socketTap.ts";
import { expect, test } from "../../support/test.ts";

test.describe("in real time", () => {
  test("delivers a message as unread, and as read where its thread is open and visible", async ({ newTrio, enter }) => {
    const { ann, bob, cid } = await newTrio();
    const annAtHome = await enter(ann);
    const bobAtHome = await enter(bob, { path: `/home/${ann.id}` });
    await annAtHome.openThread(cid);
    await bobAtHome.send("Hello Ann");
    await expect(annAtHome.entry(bob)).toContainText("1 unread message");
    await annAtHome.openThread(bob);
    await expect(annAtHome.entry(bob)).not.toContainText("unread");
    await bobAtHome.send("Are you there?");
    await annAtHome.sees("Are you there?");
    await expect(annAtHome.entry(bob)).not.toContainText("unread");
    await expect(bobAtHome.message("Are you there?").getByRole("img", { name: "Read" })).toBeVisible();
  });

  test("joins the rooms and sends messages over the socket as specified", CHROMIUM_ONLY, async ({ newTrio, enter }) => {
    const { ann, bob, cid, threadId } = await newTrio();
    let tap: SocketTap | undefined;
    const person = await enter(ann, {
      path: `/home/${bob.id}`,
      prepare: async ({ page }) => {
        tap = new SocketTap(page);
      },
    });
    const sent = (name: string) => tap?.payloads(name) ?? [];
    await test.step("by long-polling on the default path, upgraded to websocket", async () => {
      await expect.poll(() => tap?.addresses.some((address) => /transport=websocket/.test(address))).toBe(true);
      const first = new URL(tap?.addresses[0] ?? "");
      expect(first.pathname).toBe("/socket.io/");
      expect([first.protocol, first.searchParams.get("transport")]).toEqual(["http:", "polling"]);
    });
    await test.step("join_add_friend_room and join_room", async () => {
      const rooms = () => new Set(sent("join_room").map((payload) => JSON.stringify(payload)));
      const roomWith = (friend: typeof bob) =>
        JSON.stringify({ sending_user_id: ann.id, recipient_user_id: friend.id });
      await expect.poll(rooms).toEqual(new Set([roomWith(bob), roomWith(cid)]));
      expect(sent("join_add_friend_room")).toContainEqual({ current_user_id: ann.id });
    });
    await test.step("send_message", async () => {
      await person.send("Hello Bob");
      await expect.poll(() => sent("send_message").length).toBe(1);
      const { client_id, ...fields } = sent("send_message")[0] ?? {};
      expect(client_id).toEqual(expect.any(String));
      expect(fields).toEqual({
        thread_id: threadId,
        sending_user_id: ann.id,
        recipient_user_id: bob.id,
        text: "Hello Bob",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        read: false,
      });
    });
  });

  test("shows the same messages, unread marks and previews in two tabs of one user", async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const first = await enter(ann);
    const page = await first.page.context().newPage();
    await page.goto("/home");
    const second = Object.assign(Object.create(Object.getPrototypeOf(first)), first, { page }) as typeof first;
    await bob.say(ann, "Hello both");
    await expect(first.entry(bob)).toContainText("1 unread message");
    await expect(second.entry(bob)).toContainText("1 unread message");
    await second.openThread(bob);
    await second.sees("Hello both");
    await expect(first.entry(bob)).not.toContainText("unread");
    await second.send("from the second tab");
    await expect(first.entry(bob)).toContainText("from the second tab");
    await first.page.bringToFront();
    await first.openThread(bob);
    await expect(first.message("from the second tab")).toHaveCount(1);
  });
});
