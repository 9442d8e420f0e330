import { screen } from "@testing-library/react";
import { aThreadState } from "../../testing/builders.ts";
import { renderChat } from "../../testing/renderChat.tsx";
import { someData, startChatServer } from "../../testing/server.ts";
import { firstRows } from "./firstRows.ts";

const FITTING = Math.ceil(window.innerHeight / 70);

describe("rows of the first render", () => {
  it("fill the window, half of them above the start", () => {
    const rows = firstRows(100, 500, 70);
    expect(rows).toHaveLength(FITTING);
    expect(rows[0]).toBe(100 - Math.floor(FITTING / 2));
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
  });

  it.each([
    ["start", 0, 0],
    ["end", 499, 500 - FITTING],
  ])("are the first or last ones of a list that starts at its %s", (_, start, first) => {
    const rows = firstRows(start, 500, 70);
    expect([rows[0], rows.length]).toEqual([first, FITTING]);
  });

  it("are all rows of a short list, and none of an empty one", () => {
    expect(firstRows(2, 3, 70)).toEqual([0, 1, 2]);
    expect(firstRows(0, 0, 70)).toEqual([]);
  });
});

describe("a list that has not measured its height", () => {
  const MeasuringObserver = globalThis.ResizeObserver;
  const data = someData();
  data.friends = Array.from({ length: 100 }, (_, at) => ({ id: `friend-${at}`, name: `F${at}`, avatar_id: "cat-id" }));
  data.threads = data.friends.map(({ id }) => aThreadState({ thread_id: `with-${id}`, friend_id: id }));
  startChatServer(() => data);
  beforeEach(() => {
    globalThis.ResizeObserver = class implements ResizeObserver {
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    };
  });
  afterEach(() => {
    globalThis.ResizeObserver = MeasuringObserver;
  });

  it("renders the rows that fill the window", async () => {
    renderChat();
    // The list makes rows visible when it has measured them.
    await screen.findByText("F0");
    expect(screen.getByText(`F${FITTING - 1}`)).toBeTruthy();
    expect(screen.queryByText(`F${2 * FITTING}`)).toBeNull();
  });
});
