import type { Call } from "@messageoh/contracts/client";
import type { MarkerMove, MarkerResult } from "@messageoh/contracts/messages";
import { silentLogger } from "@messageoh/service-kit/testing/engines";
import { createMarkerSender } from "./markerSender.ts";
import { createMessagesService } from "./messagesService.ts";

/** A sender whose svc-messages answers each marker as the test says. */
async function aSender(answer: (marker: MarkerMove) => MarkerResult) {
  const batches: MarkerMove[][] = [];
  const call = async (_: unknown, { body }: { body: { markers: MarkerMove[] } }) => {
    batches.push(body.markers);
    return { results: body.markers.map(answer) };
  };
  const service = createMessagesService({
    discover: async () => ["http://one"],
    clientOf: () => call as unknown as Call,
    probe: async () => true,
    logger: silentLogger,
  });
  await service.start();
  return { sender: createMarkerSender(service), batches, close: service.close };
}
const aMarker = (thread_id: string, seq: number) => ({ kind: "delivered" as const, thread_id, user_id: "ann", seq });
const moved = ({ request_id: _, ...marker }: MarkerMove): MarkerResult => ({ marker });

it("sends the markers of several threads in one call", async () => {
  const { sender, batches, close } = await aSender(moved);
  const markers = [aMarker("a", 1), aMarker("b", 2), aMarker("a", 3)];
  expect(await Promise.all(markers.map((marker) => sender.send(marker, "r")))).toEqual(
    markers.map((marker) => ({ marker })),
  );
  expect(batches.map((batch) => batch.map(({ thread_id, seq }) => `${thread_id}${seq}`).sort())).toEqual([
    ["a1", "a3", "b2"],
  ]);
  expect(sender.isIdle()).toBe(true);
  close();
});

it("repeats a marker that is to be sent again, and returns a refusal", async () => {
  let failures = 1;
  const { sender, batches, close } = await aSender((marker) => {
    if (marker.thread_id === "foreign") return { error: "This is not yours" };
    return marker.thread_id === "late" && failures-- > 0 ? { retry: true } : moved(marker);
  });
  const results = await Promise.all(["foreign", "late", "good"].map((thread) => sender.send(aMarker(thread, 1), "r")));
  expect(results).toMatchObject([{ error: "This is not yours" }, { marker: { seq: 1 } }, { marker: { seq: 1 } }]);
  expect(batches.map((batch) => batch.length)).toEqual([3, 1]);
  close();
});
