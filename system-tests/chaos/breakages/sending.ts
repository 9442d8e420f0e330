import { type Breakage, FORWARD } from "./breakage.ts";

/** Many faults and many messages under way. */
const BUSY = ["--rate", "40", "--fault-every", "1.5"];

/** Breakages on the way from the outbox to the database. */
export const SENDING: readonly Breakage[] = [
  {
    name: "the outbox does not retry",
    find: "      backoffs.fail(entry.thread_id);",
    replace: "      remove([entry.client_id]);\n      backoffs.fail(entry.thread_id);",
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
    name: "rule 1: a message is acked before it is stored",
    find: "      await store(batch, work, outcomes);\n    } catch (error) {",
    replace:
      "      await store(batch, work, outcomes);\n      if (Math.random() < 0.2) await messages.deleteMany({ id: { $in: [...outcomes.values()].flatMap((outcome) => (typeof outcome === 'object' ? outcome.row.id : [])) } });\n    } catch (error) {",
    check: "an acked message is stored",
  },
  {
    name: "no unique index on client ids",
    find: "schema.index({ thread_id: 1, sending_user_id: 1, client_id: 1 }, { unique: true });",
    replace: "schema.index({ thread_id: 1, sending_user_id: 1, client_id: 1 });",
    check: "a message is stored once",
    faults: ["kill a messages instance", "kill a realtime instance", "freeze a messages instance"],
    load: BUSY,
  },
  {
    name: "rule 2: two owners give the same number",
    find: "        _id: messageKey(message.thread_id, seq),\n        id,",
    replace: "        _id: messageKey(message.thread_id, seq) + id,\n        id,",
    check: "a message is stored once",
    faults: ["freeze a messages instance", "kill a messages instance"],
    load: BUSY,
  },
  {
    name: "an ack carries another message",
    find: "return batch.map((message) => resultOf.get(message));",
    replace:
      "const [first] = items;\n      return batch.map((message) => (first && resultOf.has(message) ? { message: first.message } : undefined));",
    check: "an ack names its own message",
    faults: ["freeze a messages instance", "kill the MongoDB primary"],
  },
  {
    name: "a busy service refuses messages permanently",
    find: '      return await ("refusal" in resolved ? refuseWith(resolved.refusal, message) : insert(resolved));',
    replace: '      return Math.random() < 0.1 ? { error: "Busy" } : await insert(message);',
    check: "no valid message is refused",
  },
  {
    name: "a stored message is refused",
    find: '      return await ("refusal" in resolved ? refuseWith(resolved.refusal, message) : insert(resolved));',
    replace:
      '      const result = await insert(message);\n      return Math.random() < 0.1 ? { error: "Busy" } : result;',
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
  {
    name: "the largest size of a file is too small",
    find: "    if (size > ATTACHMENT_MAX_BYTES)\n",
    replace: "    if (size > 100_000)\n",
    check: "a valid file is accepted",
    load: ["--actions", "6", "--minutes", "0.3"],
  },
  {
    name: "a message loses its files",
    find: "      if (message.resolved) row.attachments = message.resolved;\n",
    replace: "",
    check: "an acked file can be downloaded",
    load: ["--actions", "6", "--minutes", "0.3"],
  },
  {
    name: "each message waits before it is stored",
    find: FORWARD,
    replace: `await pause(8_000);\n      ${FORWARD}`,
    check: "messages are fast without faults",
  },
];
