import { isAnswered, type Sent } from "../../checker/ledger.ts";
import type { Random } from "../../random.ts";
import type { Person } from "../person.ts";
import type { ProductTab } from "../productTab.ts";
import type { World } from "../world.ts";
import { readyTab, until } from "./acting.ts";

const EMOJI = ["👍", "❤️", "😂", null];

type Shown = NonNullable<ReturnType<ProductTab["threadWith"]>>["messages"][number];

/** Returns a stored message that a tab shows, or `undefined` if it shows none. */
function pickShown({ ledger }: World, tab: ProductTab, random: Random, isWanted: (message: Shown) => boolean) {
  const shown = tab.view.friends.flatMap(({ thread }) => thread.messages.slice(-30));
  const stored = shown.filter((message) => message.seq !== null && !message.isDeleted && isWanted(message));
  const message = stored.length === 0 ? undefined : random.pick(stored);
  const sent = message && ledger.find(message);
  return sent && message.seq !== null ? { ...message, seq: message.seq, sent } : undefined;
}

/**
 * Returns an action that changes a message, and waits until the server has confirmed or refused all changes of the
 * person.
 */
const changing =
  (
    change: (tab: ProductTab, message: Shown & { seq: number; sent: Sent }, world: World, random: Random) => void,
    isWanted: (message: Shown) => boolean = () => true,
  ) =>
  async (world: World, person: Person, random: Random) => {
    const tab = await readyTab(person);
    const message = pickShown(world, tab, random, isWanted);
    if (!message) return false;
    change(tab, message, world, random);
    await until(() => person.tabs.every(({ pendingChanges }) => pendingChanges === 0));
    return { tab, ...message };
  };

export const editMessage = changing(
  (tab, { key, seq, text, editCount: base = 0, threadId, sent }, { ledger }) =>
    tab.chat.changes.edit(threadId, { kind: "edit", key, seq, text, base }, ledger.edit(sent)),
  ({ isMine, forwarded, editCount = 0 }) => isMine && !forwarded && editCount < 8,
);

const deleteOne = changing(
  (tab, { threadId, seq, sent }, { ledger }) => {
    ledger.delete(sent);
    tab.chat.changes.deleteForBoth(threadId, seq);
  },
  ({ isMine }) => isMine,
);

export async function deleteMessage(world: World, person: Person, random: Random) {
  const deleted = await deleteOne(world, person, random);
  if (!deleted) return false;
  const { tab, id, sent } = deleted;
  // The server refuses it if the friendship has ended meanwhile.
  const shown = tab.view.friends.flatMap(({ thread }) => thread.messages).find((message) => message.id === id);
  if (shown?.isDeleted) sent.deletion = "confirmed";
  return true;
}

export const reactToMessage = changing((tab, { threadId, seq }, _, random) =>
  tab.chat.changes.react(threadId, seq, random.pick(EMOJI)),
);

export const pinMessage = changing((tab, { threadId, seq, isPinned = false }) =>
  tab.chat.changes.pin(threadId, seq, !isPinned),
);

export const starMessage = changing((tab, { threadId, seq, isStarred = false }) =>
  tab.chat.changes.star(threadId, seq, !isStarred),
);

/** Forwards an own message to another friend, and waits until that copy is acked or refused. */
export async function forwardMessage(world: World, person: Person, random: Random) {
  const { ledger } = world;
  const tab = await readyTab(person);
  const message = pickShown(world, tab, random, ({ isMine, forwarded }) => isMine && !forwarded);
  // One copy for each thread. The tab may not list a new friend yet.
  const isNew = (threadId: string) => message && ledger.sentAs(threadId, message.text) === message.sent;
  const others = [...person.friends].filter(
    ([friendId, threadId]) => threadId !== message?.threadId && isNew(threadId) && tab.threadWith(friendId),
  );
  if (!message || message.sent.edits || message.sent.deletion || others.length === 0) return false;
  const [to, threadId] = random.pick(others);
  const route = { from: person.id, to, threadId, client: `${person.id}.forwards`, isGuaranteed: true };
  const copy = ledger.forward(message.sent, route);
  tab.chat.messages.forward([message], [to]);
  await until(() => isAnswered(copy));
  return true;
}

/** Begins a message that is not sent. */
export async function writeDraft(_: World, person: Person, random: Random) {
  const tab = await readyTab(person);
  const threadIds = [...person.friends.values()];
  if (threadIds.length === 0) return false;
  tab.chat.messages.saveDraft(random.pick(threadIds), `a draft ${random.between(0, 1)}`);
  return true;
}
