import { type AccessEvent, FRIENDSHIPS_CHANNEL } from "@messageoh/contracts/bus";
import { threadBetween } from "@messageoh/contracts/testing/fakeUsers";
import { parseTable } from "@messageoh/service-kit/testing/table";
import type { Client } from "../testing/client.ts";
import { useTwoInstances } from "../testing/twoInstances.ts";
import { eventually } from "../testing/waiting.ts";

// What a viewer learns of ann through a socket. svc-users tells this service who are friends, and nothing of blocks.
// The visibility.test.ts of svc-users and of svc-messages have the tables for calls about users and for threads.

const tier = useTwoInstances();

interface World {
  /** Name of the viewer. */
  name: string;
  ann: Client;
  viewer: Client;
  /** A friend of ann who hears each event after the viewer, so that the test knows what the viewer does not hear. */
  control: Client;
}
const CONTROL = "control";

const join = (client: Client, user: string, friend: string) =>
  client.emitWithAck("join_room", { sending_user_id: user, recipient_user_id: friend });
const typeIn = (client: Client, thread_id: string) => client.emitWithAck("typing", { thread_id, is_typing: true });

/** Announces the end of the friendship with ann, or a block, as a release before this one did. */
function announceEnd(user: string): Promise<unknown> {
  const ended = { thread_id: `ann-${user}`, user_ids: ["ann", user] as [string, string], is_friends: false };
  const change = { ...ended, changed_at: new Date().toISOString() };
  const event: AccessEvent = { type: "friendship_changed", change, request_id: "r" };
  return tier.two.publish([[FRIENDSHIPS_CHANNEL, event]]);
}

/** Returns the events about a user that a client received, from the given one on. */
function heardOf(user: string, { received }: Client, from = 0): string {
  const events = received.slice(from).filter(([, payload]) => JSON.stringify(payload).includes(`"${user}"`));
  const words = events.map(([name, payload]) =>
    name === "presence" ? ((payload as { is_online: boolean }).is_online ? "online" : "offline") : name,
  );
  return words.join(", ") || "-";
}
const untilHeard = (user: string, client: Client, words: string, from?: number) =>
  eventually(
    () => heardOf(user, client, from),
    (heard) => heard.endsWith(words),
  );

/** Connects ann to one instance, and the viewer and the control to the other. Friends have joined their rooms. */
async function aWorld(name: string): Promise<World> {
  tier.users.threads = ["friend", "former", CONTROL].map((user) => threadBetween("ann", user));
  const ann = await tier.connect(tier.one, "ann");
  const [viewer, control] = [await tier.connect(tier.two, name), await tier.connect(tier.two, CONTROL)];
  for (const [client, user] of [
    [viewer, name],
    [control, CONTROL],
  ] as const) {
    await join(client, user, "ann");
    await join(ann, "ann", user);
    // The events of the joins are earlier than this one.
    if ("error" in (await typeIn(ann, `ann-${user}`))) continue;
    await untilHeard("ann", client, "typing");
  }
  tier.users.endFriendship("ann-former");
  if (name === "former") {
    await announceEnd("former");
    await untilHeard("ann", viewer, "friend_removed");
    await untilHeard("former", ann, "friend_removed");
  }
  return { name, ann, viewer, control };
}

/** Runs an act for the viewer and then for the control. */
async function forBoth({ name }: World, act: (user: string) => Promise<unknown>): Promise<void> {
  for (const user of [name, CONTROL]) await act(user);
}
const ACTS: Record<string, (world: World) => Promise<unknown>> = {
  "a friendship ends, or a block": (world) => forBoth(world, announceEnd),
  "ann types": (world) => forBoth(world, (user) => typeIn(world.ann, `ann-${user}`)),
  "ann adds a friend": (world) =>
    forBoth(world, (user) => world.ann.emitWithAck("add_friend", { new_friend_id: user })),
  "ann goes offline": async ({ ann }) => ann.disconnect(),
  async "ann comes back"(world) {
    world.ann.disconnect();
    await untilHeard("ann", world.control, "offline");
    const again = await tier.connect(tier.one, "ann");
    await forBoth(world, (user) => join(again, "ann", user));
  },
};
const EVENTS = parseTable(`
                              | friend                  | former | stranger
a friendship ends, or a block | friend_removed          | -      | -
ann types                     | typing                  | -      | -
ann adds a friend             | received_add_new_friend | -      | -
ann goes offline              | offline                 | -      | -
ann comes back                | offline, online         | -      | -
`);
const cells = (table: typeof EVENTS) =>
  Object.entries(table).flatMap(([row, columns]) =>
    Object.entries(columns).map(([name, cell]): [row: string, name: string, cell: string] => [row, name, cell]),
  );

it.each(cells(EVENTS))("when %s, sends to a %s: %s", async (row, name, cell) => {
  const world = await aWorld(name);
  const { viewer, control } = world;
  const [from, controlFrom] = [viewer.received.length, control.received.length];
  await ACTS[row]?.(world);
  await untilHeard("ann", control, EVENTS[row]?.friend ?? "", controlFrom);
  // The response to the viewer is later than events to the viewer.
  await viewer.emitWithAck("join_add_friend_room", { current_user_id: name });
  expect(heardOf("ann", viewer, from)).toBe(cell);
});

const CALLS: Record<string, (world: World) => Promise<object>> = {
  "joins the room": ({ name, viewer }) => join(viewer, name, "ann"),
  "joins the room as ann": ({ name, viewer }) => join(viewer, "ann", name),
  "joins the room of ann": ({ viewer }) => viewer.emitWithAck("join_add_friend_room", { current_user_id: "ann" }),
  types: ({ name, viewer }) => typeIn(viewer, name === "stranger" ? "ann-friend" : `ann-${name}`),
  "announces a friendship": ({ viewer }) => viewer.emitWithAck("add_friend", { new_friend_id: "ann" }),
};
const ACKS = parseTable(`
                       | friend                  | former                     | stranger
joins the room         | -                       | You are not friends        | You are not friends
joins the room as ann  | -                       | You are not friends        | You are not friends
joins the room of ann  | This is not yours       | This is not yours          | This is not yours
types                  | -                       | You are not in this thread | You are not in this thread
announces a friendship | -                       | You are not friends        | You are not friends
`);
/** What ann hears of the viewer then. */
const HEARD = parseTable(`
                       | friend                  | former | stranger
joins the room         | online                  | -      | -
joins the room as ann  | online                  | -      | -
joins the room of ann  | -                       | -      | -
types                  | typing                  | -      | -
announces a friendship | received_add_new_friend | -      | -
`);

it.each(cells(ACKS))("when the viewer %s, responds to a %s: %s", async (row, name, cell) => {
  const world = await aWorld(name);
  const { ann, control } = world;
  const from = ann.received.length;
  const ack = await CALLS[row]?.(world);
  expect(ack && "error" in ack ? ack.error : "-").toBe(cell);
  await typeIn(control, `ann-${CONTROL}`);
  await untilHeard(CONTROL, ann, "typing", from);
  expect(heardOf(name, ann, from)).toBe(HEARD[row]?.[name]);
});
