import { aMessage, aQueued, aState, fromMe, received } from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import { createFollowUp } from "./followUp.ts";

function watched() {
  const store = createStore(aState());
  const settled: string[] = [];
  const requests: number[] = [];
  const followUp = createFollowUp({
    store,
    receipts: { check: () => undefined, retry: () => undefined, stop: () => undefined },
    outbox: { settle: (ids) => void settled.push(...ids) },
    catchUp: { request: (ms) => void requests.push(ms ?? 0) },
  });
  store.subscribe(followUp.follow);
  followUp.follow();
  return { store, settled, requests };
}

describe("what follows from the state", () => {
  it("asks for missing numbers, after a moment in which they may come by themselves", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 3 })));
    expect(requests).toEqual([200]);
  });

  it("asks once for one gap", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 3 })));
    store.dispatch({ type: "markerMoved", kind: "read", threadId: "with-bob", userId: "bob", seq: 1 });
    expect(requests).toHaveLength(1);
  });

  it("asks for nothing where no number is missing", () => {
    const { store, requests } = watched();
    store.dispatch(received(aMessage({ seq: 1 }), aMessage({ seq: 2 })));
    expect(requests).toEqual([]);
  });

  it("takes an own message off the outbox that is stored, wherever it was seen", () => {
    const { store, settled } = watched();
    store.dispatch({ type: "outboxChanged", outbox: [aQueued({ client_id: "a" }), aQueued({ client_id: "b" })] });
    store.dispatch(received(fromMe({ client_id: "a" })));
    expect(settled).toEqual(["a"]);
  });
});
