import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";

// Each table detects a call or event without a row, but not a module without a table.
const ROOT = join(__dirname, "../../..");
const SERVICES = ["svc-users", "svc-messages", "svc-realtime", "svc-media"];
const table = (service: string) => readFileSync(join(ROOT, service, "src/authorisation.test.ts"), "utf8");

it("has a table of access rules in one service for every module of HTTP calls", async () => {
  const owners: Record<string, string[]> = {};
  const files = readdirSync(join(ROOT, "packages/contracts/src/http")).filter((file) => !file.includes(".test."));
  for (const file of files) {
    const module = file.replace(/\.ts$/, "");
    if (endpointsOf(await import(`../../../packages/contracts/src/http/${file}`)).length === 0) continue;
    const rows = new RegExp(`import \\* as \\w+ from "@messageoh/contracts/${module}"`);
    owners[module] = SERVICES.filter((service) => rows.test(table(service)));
  }
  expect(owners).toEqual({
    changes: ["svc-messages"],
    invites: ["svc-users"],
    media: ["svc-media"],
    messages: ["svc-messages"],
    push: ["svc-users"],
    users: ["svc-users"],
  });
});

it("has a table of access rules for client events in svc-realtime", () => {
  expect(table("svc-realtime")).toContain("describe.each(Object.keys(clientEvents)");
});
