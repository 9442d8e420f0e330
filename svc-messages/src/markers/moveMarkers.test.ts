import { setImmediate as nextTurn } from "node:timers/promises";
import { threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { createMoveMarker, type Move } from "./moveMarkers.ts";

const moveOf = (index: number): Move => {
  const thread = threadBetween(`user${index}`, "friend");
  const marker = { kind: "read" as const, thread_id: thread.thread_id, user_id: `user${index}`, seq: 0 };
  return { thread, marker, requestId: "r" };
};

it("moves markers that are requested at once together, and returns each of them", async () => {
  const sizes: number[] = [];
  const moveMarker = createMoveMarker(async (moves) => {
    sizes.push(moves.length);
    return moves.map(({ marker }) => ({ ...marker, seq: 7 }));
  });
  const moves = Array.from({ length: 300 }, (_, index) => moveOf(index));
  const moved = await Promise.all(moves.map(moveMarker));
  expect(moved).toEqual(moves.map(({ marker }) => ({ ...marker, seq: 7 })));
  expect(sizes).toEqual([256, 44]);
});

it("moves other markers while a call hangs", async () => {
  const moveMarker = createMoveMarker(async (moves) => {
    if (moves.some(({ marker }) => marker.user_id === "user0")) await new Promise(() => undefined);
    return moves.map(({ marker }) => marker);
  });
  void moveMarker(moveOf(0));
  await nextTurn();
  expect(await moveMarker(moveOf(1))).toEqual(moveOf(1).marker);
});
