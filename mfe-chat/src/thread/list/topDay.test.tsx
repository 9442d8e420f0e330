import { act, fireEvent, screen, within } from "@testing-library/react";
import { aMessage } from "../../../testing/builders.ts";
import { fakeTime, renderChat } from "../../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../../testing/server.ts";

const NOON = new Date(2024, 0, 8, 12, 0, 0);
const COUNT = 50;
const data = someData();
data.messages = Array.from({ length: COUNT }, (_, at) => aMessage({ seq: at + 1, timestamp: NOON.toISOString() }));
Object.assign(data.threads[0] ?? {}, { last_seq: COUNT, read_seq: COUNT, unread_count: 0 });
startChatServer(() => data);

const log = () => screen.getByRole("log", { name: "Messages with Bob" });
const chip = () => document.querySelector(".topDay");
const isFaded = () => chip()?.classList.contains("faded");

async function opened() {
  const chat = renderChat({ path: "/home/bob", advanceTimers: jest.advanceTimersByTime });
  await screen.findByRole("log", { name: "Messages with Bob" });
  await within(log()).findByText(`Text ${COUNT}`);
  return chat;
}

function scrollTo(top: number): void {
  act(() => {
    log().scrollTop = top;
    fireEvent.scroll(log());
  });
}

describe("the day above the list", () => {
  beforeEach(() => fakeTime(NOON));
  afterEach(() => jest.useRealTimers());

  it("is that of the first visible message, and fades 1.5 s after the last scroll", async () => {
    const { pass } = await opened();
    scrollTo(600);
    expect(chip()?.textContent).toBe("Today");
    expect(isFaded()).toBe(false);
    await pass(1_499);
    scrollTo(640);
    await pass(1_499);
    expect(isFaded()).toBe(false);
    await pass(1);
    expect(isFaded()).toBe(true);
    scrollTo(600);
    expect(isFaded()).toBe(false);
  });

  it("is hidden while its heading is visible", async () => {
    await opened();
    scrollTo(600);
    expect(chip()).not.toBeNull();
    scrollTo(0);
    expect(chip()).toBeNull();
  });
});
