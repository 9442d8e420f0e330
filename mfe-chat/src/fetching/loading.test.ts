import { aMessage, aThreadState, ME, WITH_BOB } from "../../testing/builders.ts";
import { firstState } from "../state/chatState.ts";
import { createStore } from "../state/store.ts";
import { createLoading } from "./loading.ts";

it("takes no preview that may lack a change which the list of threads counts", async () => {
  const store = createStore(firstState(ME, "bob", true));
  const last_message = aMessage({ seq: 2, id: "2" });
  const api = {
    friends: async () => [],
    // Read before the first message was edited and the second one was stored.
    previews: async () => [aMessage({ seq: 1, id: "1", text: "not edited" })],
    threads: async () => [aThreadState({ last_seq: 2, last_change: 1, last_message })],
  };
  await createLoading({ api, store, onLoaded: () => undefined }).load();
  const thread = store.get().threads.get(WITH_BOB);
  expect(thread?.segments.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(["2"]);
  expect(thread?.knownChange).toBe(1);
});
