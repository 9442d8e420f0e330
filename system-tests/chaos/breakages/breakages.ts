import type { CheckName } from "../checker/checks.ts";

/** A patch that breaks the product: a text that occurs exactly once in it, its replacement, and the check that notices. */
export interface Breakage {
  name: string;
  find: string;
  replace: string;
  check: CheckName;
  /** Faults that reveal the breakage. Without any, the run has none. */
  faults?: readonly string[];
  /** Arguments of the run, if the usual load does not reveal the breakage. */
  load?: readonly string[];
}

/** Many faults and many messages under way. */
const BUSY = ["--rate", "40", "--fault-every", "1.5"];
/** Many log-outs and changes of the password. */
const ACTIVE = ["--actions", "4", "--minutes", "0.15"];
/** A tab that is opened again loads what it missed. */
const SAME_TABS = ["log out", "reload", "close"].flatMap((text) => ["--without", text]);

/** Real browsers, which take the built front ends. */
const WITH_PAGES = ["--pages", "2", "--minutes", "0.2"];

/** Prepares the rows of a thread. */
const GROUP = "groupByDay(messages, firstUnreadSeq)";
/** Sends messages to svc-messages. */
const FORWARD =
  "  async function forward(messages: NewMessage[], lane: string): Promise<(FinalResult | typeof RETRY)[]> {";
/** Emits a message to the sockets of a user. */
const EMIT = 'target.emit("receive_message", message);';

const SENDING: Breakage[] = [
  {
    name: "the outbox does not retry",
    find: "const failures = (waits.get(entry.thread_id)?.failures ?? 0) + 1;",
    replace: "remove([entry.client_id]);\n      const failures = (waits.get(entry.thread_id)?.failures ?? 0) + 1;",
    check: "each message is acked",
    faults: ["kill a realtime instance"],
    load: BUSY,
  },
  {
    name: "the outbox sends the newest message first",
    find: 'if (entry.state === "sending" && !heads.has(entry.thread_id)) heads.set',
    replace: 'if (entry.state === "sending") heads.set',
    check: "messages are stored in the order of sending",
    faults: ["freeze Redis", "freeze a messages instance", "kill a realtime instance"],
  },
  {
    name: "a message is acked before it is stored",
    find: "      await store(batch, outcomes);\n    } catch (error) {",
    replace:
      "      await store(batch, outcomes);\n      if (Math.random() < 0.2) await messages.deleteMany({ id: { $in: [...outcomes.values()].flatMap((outcome) => (outcome === REFUSED ? [] : outcome.row.id)) } });\n    } catch (error) {",
    check: "an acked message is stored",
  },
  {
    name: "no unique index on sender and client id",
    find: "schema.index({ sending_user_id: 1, client_id: 1 }, { unique: true });",
    replace: "schema.index({ sending_user_id: 1, client_id: 1 });",
    check: "a message is stored once",
    faults: ["kill a messages instance", "kill a realtime instance", "freeze a messages instance"],
    load: BUSY,
  },
  {
    name: "an ack carries another message",
    find: "return batch.map((message) => resultOf.get(message) ?? GIVE_UP);",
    replace:
      "const [first] = items;\n      return batch.map((message) => (first && resultOf.has(message) ? { message: first.message } : GIVE_UP));",
    check: "an ack names its own message",
    faults: ["freeze a messages instance", "kill the MongoDB primary"],
  },
  {
    name: "a busy service refuses messages permanently",
    find: "    return batcher.add(message).catch(() => RETRY);",
    replace: '    return Math.random() < 0.1 ? { error: "Busy" } : batcher.add(message).catch(() => RETRY);',
    check: "no valid message is refused",
  },
  {
    name: "a stored message is refused",
    find: "    return batcher.add(message).catch(() => RETRY);",
    replace:
      '    return batcher.add(message).then((result) => Math.random() < 0.1 ? { error: "Busy" } : result).catch(() => RETRY);',
    check: "nothing is delivered after its refusal",
  },
  {
    name: "svc-messages does not learn that a friendship ended",
    find: "      forgotten.set(threadId, forgets);\n      known.delete(threadId);\n",
    replace: "      forgotten.set(threadId, forgets);\n",
    check: "an ended friendship refuses messages",
  },
  {
    name: "a message gets the wrong sender",
    find: "        sending_user_id: message.sending_user_id,\n        recipient_user_id: message.recipient_user_id,\n        text: message.text,",
    replace:
      "        sending_user_id: message.recipient_user_id,\n        recipient_user_id: message.sending_user_id,\n        text: message.text,",
    check: "sender, thread and text are unchanged",
  },
];

const DELIVERING: Breakage[] = [
  {
    name: "a message reaches another user too",
    find: EMIT,
    replace: 'io.local.emit("receive_message", message);',
    check: "nobody else receives a message",
  },
  {
    name: "a receipt reaches another user too",
    find: "      io.local.to(userRoom(userId)).emit(event, payload);",
    replace: "      io.local.emit(event, payload);",
    check: "nobody else receives a receipt",
  },
  {
    name: "an event is lost and there is no backfill",
    find: "      for (const message of bySequence(messages)) delivery.deliverBackfilled(message);",
    replace: "",
    check: "a connected client receives each message",
    faults: ["freeze Redis", "kill Redis, back empty"],
  },
  {
    name: "an event is delivered twice",
    find: EMIT,
    replace: '[1, 2].map(() => target.emit("receive_message", message));',
    check: "an event arrives once",
  },
  {
    name: "events overtake each other",
    find: EMIT,
    replace: 'setTimeout(() => target.emit("receive_message", message), 1_000 * Math.random());',
    check: "events arrive in order",
  },
  {
    name: "all messages wait while a realtime instance is missing",
    find: FORWARD,
    replace: `  let instances = 0;\n${FORWARD}\n    const { readFileSync } = await import("node:fs");\n    const running = readFileSync(new URL(process.env.MESSAGES_URL ?? ""), "utf8").split("svc-realtime").length;\n    if (running < instances) await new Promise((resolve) => setTimeout(resolve, 60_000));\n    instances = Math.max(instances, running);`,
    check: "unaffected pairs are fast during a fault",
    faults: ["kill a realtime instance"],
    load: ["--users", "8", "--rate", "60"],
  },
];

const SHOWING: Breakage[] = [
  {
    name: "the client does not catch up",
    find: "  async function compare(isCurrent: () => boolean): Promise<void> {",
    replace: "  async function compare(isCurrent: () => boolean): Promise<void> {\n    if (Date.now() > 0) return;",
    check: "a tab shows each message",
    faults: ["cut off a third of the clients", "kill a realtime instance"],
  },
  {
    name: "the client shows a message twice",
    find: "    const messages = window.messages.filter(isShown).map((message) => showStored(message, thread));",
    replace:
      "    const messages = [...window.messages, ...window.messages.slice(-1)].filter(isShown).map((message) => showStored(message, thread));",
    check: "a tab shows a message once",
  },
  {
    name: "the client does not sort",
    find: "messages: parts.flatMap((part) => part.messages).sort((a, b) => a.seq - b.seq),",
    replace: "messages: parts.flatMap((part) => part.messages).reverse(),",
    check: "a tab shows messages in order",
  },
  {
    name: "the list of threads is old",
    find: "        const last_seq = last?.seq ?? 0;\n        const own",
    replace: "        const last_seq = Math.max(0, (last?.seq ?? 0) - 2);\n        const own",
    check: "a thread list is not stale",
  },
  {
    name: "unread counts include own messages",
    find: "last_seq), recipient_user_id: userId };",
    replace: "last_seq) };",
    check: "unread counts equal the model",
  },
  {
    name: "the server forgets read markers",
    find: "      await api.markRead(threadId, seq);\n",
    replace: "",
    check: "ticks arrive",
  },
  {
    name: "a message counts as delivered before it is",
    find: "  return seq <= friendDeliveredSeq ?",
    replace: "  return seq > 0 || seq <= friendDeliveredSeq ?",
    check: "delivered ticks are true",
  },
  {
    name: "a delivered message counts as read",
    find: '  if (seq <= friendReadSeq) return "read";',
    replace: '  if (seq <= Math.max(friendReadSeq, friendDeliveredSeq)) return "read";',
    check: "read ticks are true",
  },
];

const PAGES: Breakage[] = [
  {
    name: "the page leaves out a message",
    find: GROUP,
    replace: "groupByDay(messages.filter(({ seq }) => seq !== 2), firstUnreadSeq)",
    check: "a page shows each message",
    load: WITH_PAGES,
  },
  {
    name: "the page shows the newest message first",
    find: GROUP,
    replace: "groupByDay(messages.toReversed(), firstUnreadSeq)",
    check: "a page shows messages once, in order",
    load: WITH_PAGES,
  },
  {
    name: "the page does not show that a message was read",
    find: "message.sendState ? <SendStateMark state={message.sendState} />",
    replace: 'message.sendState ? <SendStateMark state={message.sendState === "read" ? "sent" : message.sendState} />',
    check: "a page shows read ticks",
    load: WITH_PAGES,
  },
];

const ACCOUNTS: Breakage[] = [
  {
    name: "a failed session check counts as no session",
    find: 'return unavailable("Your session could not be checked");',
    replace: "return unauthorised();",
    check: "no 401 with a valid session",
    // A new instance knows no session yet.
    faults: [
      "half-open connections between services and svc-users",
      "a partition between services and svc-users",
      "kill a realtime instance",
    ],
    load: ["--small"],
  },
  {
    name: "a failed call signs the user out",
    find: "      return await call(endpoint, input);\n    } catch (error) {\n      if (error instanceof ApiError && error.status === 401)",
    replace: "      return await call(endpoint, input);\n    } catch (error) {\n      if (error instanceof ApiError)",
    check: "no sign-out of a valid session",
    faults: ["kill a messages instance", "freeze a messages instance", "kill a users instance"],
    load: ["--small"],
  },
  {
    name: "a log-out does not end the session",
    find: "    await sessions.end(session.user.id, session.session_id);\n",
    replace: "",
    check: "an ended session is refused",
    load: ACTIVE,
  },
  {
    name: "a change of the password changes nothing",
    find: "    const change = { $set: { password_hash }, $inc: { password_version: 1 } };",
    replace: "    const change = { $inc: { password_version: 1 } };\n    void password_hash;",
    check: "a valid sign-in is accepted",
    load: ACTIVE,
  },
  {
    name: "the old password stays valid",
    find: "    const row = await checkPassword.ofLogIn({ ...body, address, device, findUser, logger });",
    replace: "    const row = await findUser();\n    void checkPassword;",
    check: "an old password is refused",
    load: ACTIVE,
  },
  {
    name: "only one side has the friendship",
    find: "friendships.find({ user_ids: userId }).sort(",
    replace: 'friendships.find({ "user_ids.0": userId }).sort(',
    check: "both sides have a friendship",
  },
  {
    name: "the end of a friendship is not announced",
    find: 'store.dispatch({ type: "friendRemoved", friendId: user_id });',
    replace: "if (Date.now() > 0) return;",
    check: "both sides have a friendship",
    load: ACTIVE,
  },
  {
    name: "a new name is not shown",
    find: "      return state.friends.has(user.id) ? { ...state, friends: new Map(state.friends).set(user.id, user) } : state;",
    replace: "      return state;",
    check: "friends see the current name",
    load: [...ACTIVE, ...SAME_TABS],
  },
  {
    name: "a deleted account keeps its picture",
    find: "      avatar_id: DELETED_AVATAR_ID,\n      held_names,",
    replace: "      held_names,",
    check: "a deleted account is gone",
    load: ACTIVE,
  },
];

const SPEED: Breakage[] = [
  {
    name: "each message waits before it is stored",
    find: FORWARD,
    replace: `${FORWARD}\n    await new Promise((resolve) => setTimeout(resolve, 8_000));`,
    check: "messages are fast without faults",
  },
  {
    name: "the client does not reconnect",
    find: "  reconnectionDelay: 1_000,\n  reconnectionDelayMax: 5_000,",
    replace: "  reconnectionDelay: 600_000,\n  reconnectionDelayMax: 600_000,",
    check: "each pair exchanges a message after the last fault",
    faults: ["kill a realtime instance", "cut off a third of the clients"],
  },
];

export const BREAKAGES: readonly Breakage[] = [...SENDING, ...DELIVERING, ...SHOWING, ...PAGES, ...ACCOUNTS, ...SPEED];
