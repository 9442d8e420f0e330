import type { Connection } from "../../state/chatState.ts";
import { connectionOf, createConnectionWatch, FIRST_FACTS } from "./connection.ts";

const up = { ...FIRST_FACTS, isSocketUp: true };
const broken = { ...FIRST_FACTS, isBroken: true };

describe("connectionOf", () => {
  it("is connected while the socket is up", () => {
    expect(connectionOf(up)).toBe("connected");
  });

  it("is connected during a short interruption", () => {
    expect(connectionOf(FIRST_FACTS)).toBe("connected");
  });

  it("is connecting after a longer interruption", () => {
    expect(connectionOf(broken)).toBe("connecting");
  });

  it("is unreachable after an attempt without a response", () => {
    expect(connectionOf({ ...broken, isUnreachable: true })).toBe("unreachable");
    expect(connectionOf({ ...broken, isUnreachable: true, isHttpUp: true })).toBe("degraded");
  });

  it("is degraded while only HTTP works", () => {
    expect(connectionOf({ ...broken, isHttpUp: true })).toBe("degraded");
  });

  it("is offline as soon as the browser is", () => {
    expect(connectionOf({ ...up, isOnline: false })).toBe("offline");
  });

  it("is degraded while the server reports a delay or defers a send", () => {
    expect(connectionOf({ ...up, isDegraded: true })).toBe("degraded");
    expect(connectionOf({ ...up, isLate: true })).toBe("degraded");
  });
});

describe("connection watch", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function watched() {
    const reported: Connection[] = [];
    return { watch: createConnectionWatch((connection) => reported.push(connection)), reported };
  }

  it("hides an interruption shorter than three seconds", () => {
    const { watch, reported } = watched();
    watch.socketUp();
    watch.socketDown();
    jest.advanceTimersByTime(2999);
    watch.socketUp();
    jest.advanceTimersByTime(60_000);
    expect(new Set(reported)).toEqual(new Set(["connected"]));
  });

  it("reports an interruption after three seconds, and its end at once", () => {
    const { watch, reported } = watched();
    watch.socketUp();
    watch.socketDown();
    jest.advanceTimersByTime(3000);
    expect(reported.at(-1)).toBe("connecting");
    watch.socketUp();
    expect(reported.at(-1)).toBe("connected");
  });

  it("clears the server's reports on a new connection", () => {
    const { watch, reported } = watched();
    watch.socketUp();
    watch.learn({ isDegraded: true });
    watch.socketUp();
    expect(reported.at(-1)).toBe("connected");
  });
});
