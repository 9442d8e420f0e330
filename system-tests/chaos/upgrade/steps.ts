import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@messageoh/stack/stack";
import { pause } from "../../client/account.ts";
import type { Fault } from "../faults/fault.ts";

/** Time in which the parts of two versions run together after each step. */
const MIXED_MS = 3_000;
/** The order of an upgrade in docs/operations.md. */
const ORDER = ["svc-users", "svc-media", "svc-messages", "svc-realtime", "gateway"];

/**
 * Returns the steps of a rolling upgrade: each part of `from` is replaced by that of `to`, then in the opposite order
 * back.
 */
export function upgradeSteps(stack: Stack, from: string, to: string): Fault[] {
  // The stack runs a service that the earlier version lacks from the start.
  const names = ORDER.filter((part) => existsSync(join(from, part))).flatMap((prefix) =>
    stack
      .processes()
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix)),
  );
  const step = (verb: string, name: string, root: string): Fault => ({
    name: `${verb} ${name}`,
    async inject() {
      await stack.replace(name, root);
      await pause(MIXED_MS);
    },
  });
  return [
    ...names.map((name) => step("upgrade", name, to)),
    ...names.toReversed().map((name) => step("roll back", name, from)),
  ];
}
