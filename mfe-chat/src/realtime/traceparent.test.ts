import { clientEvents } from "@messageoh/contracts/realtime";
import * as z from "zod/mini";
import { newTraceparent } from "./traceparent.ts";

it("names a new trace each time, in a form that the server takes", () => {
  const names = Array.from({ length: 100 }, newTraceparent);
  expect(new Set(names.map((name) => name.split("-")[1])).size).toBe(100);
  for (const traceparent of names) expect(z.safeParse(clientEvents.trace_end, { traceparent }).success).toBe(true);
});
