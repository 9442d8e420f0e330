import { createTyping } from "./typing.ts";

function watched() {
  const emitted: string[] = [];
  const friend: string[] = [];
  const typing = createTyping({
    emit: (threadId, isTyping) => emitted.push(`${threadId} ${isTyping}`),
    onFriendTyping: (threadId, isTyping) => friend.push(`${threadId} ${isTyping}`),
  });
  return { typing, emitted, friend };
}

describe("typing", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("is sent with the first input", () => {
    const { typing, emitted } = watched();
    typing.notify("t");
    expect(emitted).toEqual(["t true"]);
  });

  it("is sent at most every four seconds", () => {
    const { typing, emitted } = watched();
    for (let second = 0; second < 9; second += 1) {
      typing.notify("t");
      jest.advanceTimersByTime(1000);
    }
    expect(emitted).toEqual(["t true", "t true", "t true"]);
  });

  it("is sent again while the user types, also if the clock was set back", () => {
    const { typing, emitted } = watched();
    typing.notify("t");
    jest.setSystemTime(Date.now() - 3_600_000);
    for (let second = 0; second < 5; second += 1) {
      jest.advanceTimersByTime(1000);
      typing.notify("t");
    }
    expect(emitted).toEqual(["t true", "t true"]);
  });

  it("ends after a pause of five seconds", () => {
    const { typing, emitted } = watched();
    typing.notify("t");
    jest.advanceTimersByTime(4999);
    expect(emitted).toEqual(["t true"]);
    jest.advanceTimersByTime(1);
    expect(emitted).toEqual(["t true", "t false"]);
  });

  it("ends when the message is sent", () => {
    const { typing, emitted } = watched();
    typing.notify("t");
    typing.ended("t");
    jest.advanceTimersByTime(60_000);
    expect(emitted).toEqual(["t true", "t false"]);
  });

  it("does not end without input", () => {
    const { typing, emitted } = watched();
    typing.ended("t");
    expect(emitted).toEqual([]);
  });

  it("of the friend expires seven seconds after the last event", () => {
    const { typing, friend } = watched();
    typing.receive("t", true);
    jest.advanceTimersByTime(6999);
    typing.receive("t", true);
    jest.advanceTimersByTime(6999);
    expect(friend).toEqual(["t true", "t true"]);
    jest.advanceTimersByTime(1);
    expect(friend.at(-1)).toBe("t false");
  });

  it("of the friend ends with the friend's event", () => {
    const { typing, friend } = watched();
    typing.receive("t", true);
    typing.receive("t", false);
    jest.advanceTimersByTime(60_000);
    expect(friend).toEqual(["t true", "t false"]);
  });

  it("ends when the page closes", () => {
    const { typing, emitted } = watched();
    typing.notify("t");
    typing.stop();
    expect(emitted).toEqual(["t true", "t false"]);
  });
});
