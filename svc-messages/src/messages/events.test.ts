import { BEATS_CHANNEL, type Beat } from "@messageoh/contracts/beat";
import { createPosition } from "@messageoh/service-kit/position";
import type { Publish } from "@messageoh/service-kit/publish";
import { createEvents } from "./events.ts";

it("makes the next beat say that an event is lost if markers could not be published", async () => {
  const beats: Beat[] = [];
  const publish: Publish = async (events) => {
    const [[channel, event]] = events as [[string, object]];
    if (channel !== BEATS_CHANNEL) return null;
    beats.push(event as Beat);
    return new Set();
  };
  const position = createPosition("messages");
  const marker = { kind: "read", thread_id: "ann-bob", user_id: "ann", seq: 1 } as const;
  createEvents(publish, position).toUsers([["ann", "bob"], { type: "marker", marker, request_id: "r" }]);
  await Promise.resolve();
  const stop = position.startBeats(publish);
  await Promise.resolve();
  await stop();
  expect(beats.map(({ has_lost }) => has_lost)).toEqual([true, false]);
});
