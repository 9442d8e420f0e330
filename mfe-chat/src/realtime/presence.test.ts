import { aState } from "../../testing/builders.ts";
import { createStore } from "../state/store.ts";
import { createPresence } from "./presence.ts";

describe("presence", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function watched() {
    const store = createStore(aState());
    const presence = createPresence(store);
    presence.receive("bob", true);
    presence.receive("cleo", true);
    return { presence, online: () => [...store.get().onlineIds] };
  }

  it("follows the server's events", () => {
    const { presence, online } = watched();
    presence.receive("bob", false);
    expect(online()).toEqual(["cleo"]);
  });

  it("does not flicker during a reconnect", () => {
    const { presence, online } = watched();
    presence.reconnected();
    expect(online()).toEqual(["bob", "cleo"]);
  });

  it("clears friends whom the server does not list again after a reconnect", () => {
    const { presence, online } = watched();
    presence.reconnected();
    presence.receive("cleo", true);
    jest.advanceTimersByTime(5000);
    expect(online()).toEqual(["cleo"]);
  });

  it("is unknown without a connection", () => {
    const { presence, online } = watched();
    presence.lost();
    expect(online()).toEqual([]);
  });
});
