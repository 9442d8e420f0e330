import { safeParse } from "@messageoh/contracts/parse";
import { clientEvents } from "@messageoh/contracts/realtime";
import type { Account } from "../client/account.ts";
import { PUBLIC_ENDPOINTS, valuesOf } from "../fuzz/sample.ts";
import { COUNTER } from "./plan.ts";
import { TARGETS } from "./targets.ts";

const [one, other] = ["ann", "bob"].map((name) => ({ id: name, name }) as Account) as [Account, Account];

it("attacks every call and event with valid requests", async () => {
  const values = valuesOf(one, other, "thread");
  for (const { method, path } of PUBLIC_ENDPOINTS) {
    const plan = await TARGETS.find(({ name }) => name === `${method} ${path}`)?.plan(values);
    const pattern = new RegExp(`^/messageoh${path.replace(/:\w+/g, "[^/?]+")}([?]|$)`);
    expect([path, plan?.requests?.length]).toEqual([path, expect.any(Number)]);
    for (const request of plan?.requests ?? [])
      expect(request).toMatchObject({ method, path: expect.stringMatching(pattern) });
  }
  for (const [event, schema] of Object.entries(clientEvents)) {
    const plan = await TARGETS.find(({ name }) => name === `event ${event}`)?.plan(values);
    const [name, payload] = JSON.parse(plan?.frames?.[0]?.replace(`42${COUNTER}`, "") ?? "[]");
    expect([name, safeParse(schema, payload).success]).toEqual([event, true]);
  }
});
