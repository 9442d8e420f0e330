import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";

// Each table fails for a call or event without a row. What no table could notice is a whole module without one.
const ROOT = join(__dirname, "../../..");
const SERVICES = ["svc-users", "svc-messages", "svc-realtime"];
const table = (service: string) => readFileSync(join(ROOT, service, "src/authorisation.test.ts"), "utf8");

test("every module that describes HTTP calls has one service with a table of who may make them", async () => {
  const owners: Record<string, string[]> = {};
  const files = readdirSync(join(ROOT, "packages/contracts/src")).filter((file) => !file.includes(".test."));
  for (const file of files) {
    const module = file.replace(/\.ts$/, "");
    if (endpointsOf(await import(`../../../packages/contracts/src/${file}`)).length === 0) continue;
    const rows = `import * as contract from "@messageoh/contracts/${module}"`;
    owners[module] = SERVICES.filter((service) => table(service).includes(rows));
  }
  expect(owners).toEqual({ messages: ["svc-messages"], users: ["svc-users"] });
});

test("the events that a client may send have theirs in svc-realtime", () => {
  expect(table("svc-realtime")).toContain("describe.each(Object.keys(clientEvents)");
});
