import { join } from "node:path";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import * as messages from "@messageoh/contracts/messages";
import { safeParse } from "@messageoh/contracts/parse";
import * as users from "@messageoh/contracts/users";
import { repoRoot } from "../command/root.ts";
import { FRONTENDS } from "../releases/frontends.ts";
import { findRecorded, readRecorded } from "./recorded.ts";

const ENDPOINTS = Object.values({ ...users, ...messages }).filter(
  (value): value is typeof value & Endpoint =>
    typeof value === "object" && value !== null && "response" in value && "path" in value,
);

const recorded = FRONTENDS.flatMap(({ name }) =>
  Object.entries(readRecorded(join(repoRoot(), name))).map(([call, answer]) => ({ name, call, answer })),
);

test.each(recorded)("$name: the recorded response to $call matches the contract", ({ call, answer }) => {
  const [method, address = ""] = call.split(" ");
  const path = address.split("?")[0]?.split("/") ?? [];
  const endpoint = ENDPOINTS.find((candidate) => {
    const parts = candidate.path.split("/");
    const fits = parts.length === path.length && parts.every((part, at) => part.startsWith(":") || part === path[at]);
    return fits && candidate.method === method;
  });
  if (!endpoint) throw new Error("There is no such call");
  expect(safeParse(endpoint.response, answer).error).toBeUndefined();
});

it("prefers a recorded query to the path alone and distinguishes methods", () => {
  const responses = { "GET /messages/ann": "all", "GET /messages/ann?limit=1": "one" };
  expect(findRecorded(responses, "GET", "/messageoh/messages/ann?limit=1")).toBe("one");
  expect(findRecorded(responses, "GET", "/messageoh/messages/ann?limit=2")).toBe("all");
  expect(findRecorded(responses, "POST", "/messageoh/messages/ann")).toBeUndefined();
});
