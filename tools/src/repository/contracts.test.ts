import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { INTERNAL_CALLS, PUBLIC_CALLS } from "@messageoh/contracts/testing/calls";
import { endpointsOf } from "@messageoh/service-kit/testing/contracts";

// Each table detects a call or event without a row, but not a module without a table.
const ROOT = join(__dirname, "../../..");
const table = (service: string) => readFileSync(join(ROOT, service, "src/authorisation.test.ts"), "utf8");

describe.each([
  ["http", "", PUBLIC_CALLS],
  ["internal", "internal/", INTERNAL_CALLS],
])("in the folder %s", (folder, prefix, calls) => {
  const modules = readdirSync(join(ROOT, "packages/contracts/src", folder))
    .filter((file) => !file.includes(".test."))
    .map((file) => file.replace(/\.ts$/, ""));

  it.each(modules)(
    "has the calls of %s in the list and in the table of access rules of one service",
    async (module) => {
      const names = endpointsOf(await import(`../../../packages/contracts/src/${folder}/${module}.ts`)).map(
        ([name]) => name,
      );
      const rows = new RegExp(`import \\* as \\w+ from "@messageoh/contracts/${prefix}${module}"`);
      const listed = Object.entries(calls).filter(([, list]) => names.some((name) => name in list));
      const tables = Object.keys(calls).filter((service) => rows.test(table(service)));
      expect(tables).toEqual(listed.map(([service]) => service));
      expect(listed.length).toBe(names.length > 0 ? 1 : 0);
      for (const [, list] of listed) expect(Object.keys(list)).toEqual(expect.arrayContaining(names));
    },
  );
});

it("has a table of access rules for client events in svc-realtime", () => {
  expect(table("svc-realtime")).toContain("describe.each(Object.keys(clientEvents)");
});
