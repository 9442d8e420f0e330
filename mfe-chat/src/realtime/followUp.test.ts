import { aMessage, aQueued, aState, fromMe, received } from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import { createFollowUp } from "./followUp.ts";

function watched() {
  const store = createStore(aState());
  const settled: string[] = [];
  const requests: number[] = [];
  const quoted: number[] = [];
  const followUp = createFollowUp({
    store,
    receipts: [],
    outbox: { settle: (ids) => void settled.push(...ids) },
    catchUp: { request: (ms) => void requests.push(ms ?? 0) },
    history: { loadQuoted: async (_, seq) => void quoted.push(seq) },
  });
  store.subscribe(followUp.follow);
  followUp.follow();
  return { store, settled, requests, quoted };
}

describe("follow-up of a state change", () => {
  it("requests missing numbers after a delay in which they may arrive", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 3 })));
    expect(requests).toEqual([200]);
  });

  it("requests a gap once", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 3 })));
    store.dispatch({ type: "markerMoved", kind: "read", threadId: "with-bob", userId: "bob", seq: 1 });
    expect(requests).toHaveLength(1);
  });

  it("requests nothing without a gap", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 1 }), aMessage({ seq: 2 })));
    expect(requests).toEqual([]);
  });

  it("requests missing changes once", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 1 })));
    const changed = (change: number) => store.dispatch({ type: "messagesChanged", messages: [aMessage({ change })] });
    changed(1);
    expect(requests).toEqual([]);
    changed(3);
    changed(3);
    expect(requests).toEqual([200]);
  });

  it("loads the message before when another device has hidden the only one that is loaded", () => {
    const { store, quoted } = watched();
    store.dispatch(received(aMessage({ seq: 7 })));
    const hide = (hidden: boolean) =>
      store.dispatch({ type: "messageMarked", change: { thread_id: "with-bob", seq: 7, hidden } });
    hide(true);
    hide(true);
    hide(false);
    expect(quoted).toEqual([6]);
  });

  it("removes a stored message from the outbox", () => {
    const { store, settled } = watched();
    store.dispatch({ type: "outboxChanged", outbox: [aQueued({ client_id: "a" }), aQueued({ client_id: "b" })] });
    store.dispatch(received(fromMe({ client_id: "a" })));
    expect(settled).toEqual(["a"]);
  });
});
