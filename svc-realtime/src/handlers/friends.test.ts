import type { UserEvent } from "@messageoh/contracts/bus";
import { startingMessage } from "@messageoh/contracts/messages";
import { newMessageThread } from "@messageoh/contracts/realtime";
import { payloadsOf } from "../../testing/client.ts";
import { ANN_BOB, useTwoInstances } from "../../testing/twoInstances.ts";
import { eventually } from "../../testing/waiting.ts";

const tier = useTwoInstances();

const friendAdded: UserEvent = {
  type: "friend_added",
  friend: { id: "ann", name: "ann", avatar_id: "fox-id" },
  message_thread: newMessageThread(startingMessage(ANN_BOB, "ann", "bob"), {
    id: "ann",
    name: "ann",
    avatar_id: "fox-id",
  }),
  request_id: "r",
};

it("announces a new friend once per socket, with the profile that the server knows", async () => {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.two, "bob")];
  await tier.publish("bob", friendAdded);
  const forgedProfile = { id: "ann", name: "<b>The Queen</b>", avatar_id: "x" };
  await ann.emitWithAck("add_friend", { current_user: forgedProfile, new_friend_id: "bob", message_thread: {} });
  const later = await tier.connect(tier.one, "bob");
  await ann.emitWithAck("add_friend", { current_user: forgedProfile, new_friend_id: "bob", message_thread: {} });
  const payload = { current_user: friendAdded.friend, message_thread: friendAdded.message_thread };
  await eventually(
    () => payloadsOf(later, "received_add_new_friend"),
    (events) => events.length === 1,
  );
  expect(payloadsOf(later, "received_add_new_friend")).toEqual([payload]);
  expect(payloadsOf(bob, "received_add_new_friend")).toEqual([payload]);
});

it("announces a new friend with the avatar that the user has chosen since connecting", async () => {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.two, "bob")];
  const user = { id: "ann", name: "ann", avatar_id: "snake-id" };
  await tier.publish("ann", { type: "user_updated", user, request_id: "r" });
  await eventually(
    () => payloadsOf(ann, "user_updated"),
    (events) => events.length === 1,
  );
  await ann.emitWithAck("add_friend", { new_friend_id: "bob" });
  const announced = await eventually(
    () => payloadsOf(bob, "received_add_new_friend"),
    (events) => events.length === 1,
  );
  expect(announced).toMatchObject([{ current_user: user }]);
});

it("sends typing only to the instances that hold the friend", async () => {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.one, "bob")];
  const cyd = await tier.connect(tier.two, "cyd");
  await ann.emitWithAck("join_room", { sending_user_id: "ann", recipient_user_id: "bob" });
  await cyd.emitWithAck("join_room", { sending_user_id: "cyd", recipient_user_id: "bob" });
  const receivedByTwo: string[] = [];
  tier.two.redis.adapterSubscriber.on("smessageBuffer", (channel: Buffer) => receivedByTwo.push(String(channel)));
  await ann.emitWithAck("typing", { thread_id: "ann-bob", is_typing: true });
  await eventually(
    () => payloadsOf(bob, "typing"),
    (events) => events.length === 1,
  );
  const bobOnTwo = await tier.connect(tier.two, "bob");
  // The instance subscribes while the client connects, so the first events may be too early.
  while (payloadsOf(bobOnTwo, "typing").length === 0) {
    await ann.emitWithAck("typing", { thread_id: "ann-bob", is_typing: false });
  }
  expect(new Set(receivedByTwo)).toEqual(new Set(["socket.io#/#user:bob#"]));
  expect(payloadsOf(ann, "typing")).toEqual([]);
});

it("announces a friend's presence changes across instances", async () => {
  const [ann, bob] = [await tier.connect(tier.one, "ann"), await tier.connect(tier.two, "bob")];
  await ann.emitWithAck("join_room", { sending_user_id: "ann", recipient_user_id: "bob" });
  await bob.emitWithAck("join_room", { sending_user_id: "bob", recipient_user_id: "ann" });
  await eventually(
    () => payloadsOf(ann, "presence").at(-1),
    (last) => (last as { is_online: boolean } | undefined)?.is_online === true,
  );
  bob.disconnect();
  await eventually(
    () => payloadsOf(ann, "presence").at(-1),
    (last) => (last as { is_online: boolean }).is_online === false,
  );
});
