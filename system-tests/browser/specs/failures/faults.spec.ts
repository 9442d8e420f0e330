import type { Message } from "@messageoh/contracts/messages";
import { CHROMIUM_ONLY } from "../../support/engines.ts";
import { signalPart } from "../../support/parts.ts";
import type { Person } from "../../support/person.ts";
import type { ProtocolClient } from "../../support/protocolClient.ts";
import { expect, test } from "../../support/test.ts";

/** Tall enough to render a whole thread. */
const TALL = { viewport: { width: 900, height: 6_000 } };

async function storedTexts(user: ProtocolClient, threadId: string): Promise<string[]> {
  const { status, body } = await user.call("GET", `/messages/${user.id}?thread_id=${threadId}&after_seq=0&limit=200`);
  expect(status).toBe(200);
  return (body as Message[]).map((message) => message.text);
}

const shownTexts = async (person: Person) =>
  (await person.log.getByRole("article").locator("[dir=auto]").allInnerTexts()).map((text) => text.trim());

test("loses, duplicates and reorders no message while every process is killed in turn", async ({ newPair, enter }) => {
  test.setTimeout(240_000);
  const threads = await Promise.all(
    [1, 2].map(async () => {
      const pair = await newPair();
      const people = [
        await enter(pair.ann, { ...TALL, path: `/home/${pair.bob.id}` }),
        await enter(pair.bob, { ...TALL, path: `/home/${pair.ann.id}` }),
      ] as const;
      return { ...pair, people };
    }),
  );
  const everybody = threads.flatMap(({ people }) => people);
  for (const person of everybody) await expect(person.composer).toBeVisible();

  const faults = [
    () => signalPart("svc-realtime-1", "SIGKILL"),
    () => signalPart("svc-messages", "SIGKILL"),
    () => signalPart("svc-users", "SIGKILL"),
    () => signalPart("redis", "SIGKILL"),
    () => threads[0]?.people[0].page.context().setOffline(true),
    () => signalPart("svc-realtime-2", "SIGTERM"),
    () => signalPart("svc-messages-2", "SIGKILL"),
    () => threads[0]?.people[0].page.context().setOffline(false),
    () => signalPart("gateway", "SIGHUP"),
    () => signalPart("svc-media", "SIGKILL"),
    () => signalPart("mongo", "SIGKILL"),
  ];
  for (const [index, fault] of faults.entries()) {
    // A process may still restart after an earlier fault.
    await expect(async () => void (await fault())).toPass();
    for (const person of everybody) await person.send(`${person.name} ${index + 1}`);
  }

  for (const { ann, bob, threadId, people } of threads) {
    await test.step(`the thread of ${ann.name} and ${bob.name}`, async () => {
      // Calls fail while a process restarts.
      await expect(async () => {
        expect(await storedTexts(ann, threadId)).toHaveLength(2 * faults.length);
      }).toPass({ timeout: 90_000 });
      const stored = await storedTexts(ann, threadId);
      for (const { name } of people) {
        const own = stored.filter((text) => text.startsWith(name));
        expect(own).toEqual(Array.from({ length: faults.length }, (_, index) => `${name} ${index + 1}`));
      }
      for (const person of people) {
        await expect.poll(() => shownTexts(person), { timeout: 60_000 }).toEqual(stored);
        await expect(person.log.getByRole("img", { name: "Read", exact: true })).toHaveCount(faults.length);
        await expect(person.page.getByText(/unread/i)).toHaveCount(0);
      }
    });
  }
});

test(
  "sends a message that was written offline after its tab was closed and opened again",
  CHROMIUM_ONLY,
  async ({ newPair, enter }) => {
    const { ann, bob } = await newPair();
    const annAtHome = await enter(ann, { path: `/home/${bob.id}` });
    const bobAtHome = await enter(bob, { path: `/home/${ann.id}` });
    await expect(annAtHome.composer).toBeVisible();
    const context = annAtHome.page.context();
    await context.setOffline(true);
    await annAtHome.send("written without a network");
    await expect(annAtHome.message("written without a network").getByRole("img", { name: "Sending" })).toBeVisible();
    await annAtHome.page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto("/home");
    await bobAtHome.sees("written without a network");
    await expect(bobAtHome.log.getByText("written without a network")).toHaveCount(1);
  },
);
