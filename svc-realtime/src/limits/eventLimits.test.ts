import { clientEvents } from "@messageoh/contracts/realtime";
import { LIMIT_OF, RATE_LIMITS } from "./eventLimits.ts";

it("has a limit for every event", () => {
  expect(Object.keys(LIMIT_OF).toSorted()).toEqual(Object.keys(clientEvents).toSorted());
  for (const name of Object.values(LIMIT_OF)) expect(RATE_LIMITS[name].setting).toMatch(/^LIMIT_\w+_PER_USER$/);
});
