import { silentLogger } from "@messageoh/service-kit/testing/datastores";
import { until } from "@messageoh/service-kit/testing/until";
import { createDelivery } from "./delivery.ts";

const subscriber = {
  _id: "session",
  user_id: "bob",
  push: { endpoint: "https://push.example/1", p256dh: "key", auth: "secret", shows_text: false },
};
const payload = { user_id: "bob", thread_id: "thread", friend_id: "ann", name: "Ann" };

/** Returns a delivery to one endpoint, which accepts everything. */
function aDelivery() {
  const checks = { isCurrent: async () => true, isWanted: async () => true };
  const post = jest.fn(async () => ({ status: 201 }));
  const drop = async () => undefined;
  const { add, close } = createDelivery({
    post,
    subscriptions: { isCurrent: () => checks.isCurrent(), drop },
    retryMs: 1,
    logger: silentLogger,
  });
  return { checks, post, notify: () => add(subscriber, payload, () => checks.isWanted()), close };
}

it.each(["isCurrent", "isWanted"] as const)("pauses no endpoint because the own check %s fails", async (name) => {
  const { checks, post, notify, close } = aDelivery();
  const failing = jest.fn(() => Promise.reject(new Error("the database failed")));
  const works = checks[name];
  checks[name] = failing;
  notify();
  await until(() => failing.mock.calls.length === 4);
  checks[name] = works;
  notify();
  await close();
  expect(post).toHaveBeenCalledTimes(1);
});
