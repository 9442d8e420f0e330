import { aMessage, aState } from "../../testing/builders.ts";
import { createStore, VIEW_INTERVAL_MS } from "./store.ts";

const receive = (seq: number) => ({ type: "messagesReceived" as const, messages: [aMessage({ seq })] });

describe("store", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function aStore() {
    const store = createStore(aState());
    const [onChange, onView] = [jest.fn(), jest.fn()];
    store.subscribe(onChange);
    store.subscribeView(onView);
    return { store, onChange, onView };
  }

  it("updates the view at once on a single message", () => {
    const { store, onView } = aStore();
    store.dispatch(receive(1));
    jest.advanceTimersByTime(VIEW_INTERVAL_MS);
    store.dispatch(receive(2));
    expect(onView).toHaveBeenCalledTimes(2);
  });

  it("throttles view updates during a burst of messages", () => {
    const { store, onChange, onView } = aStore();
    for (const seq of [1, 2, 3]) store.dispatch(receive(seq));
    expect(onChange).toHaveBeenCalledTimes(3);
    expect(onView).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(VIEW_INTERVAL_MS);
    expect(onView).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(10 * VIEW_INTERVAL_MS);
    expect(onView).toHaveBeenCalledTimes(2);
  });

  it("updates the view at once on an action of the user, with the messages that waited", () => {
    const { store, onView } = aStore();
    for (const seq of [1, 2]) store.dispatch(receive(seq));
    store.dispatch({ type: "friendOpened", friendId: "cleo" });
    expect(onView).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(VIEW_INTERVAL_MS);
    expect(onView).toHaveBeenCalledTimes(2);
  });

  it("applies several actions and notifies once", () => {
    const { store, onChange, onView } = aStore();
    store.dispatch(receive(1), { type: "statusChanged", status: "ready" });
    expect(store.get().status).toBe("ready");
    expect([onChange.mock.calls.length, onView.mock.calls.length]).toEqual([1, 1]);
  });
});
