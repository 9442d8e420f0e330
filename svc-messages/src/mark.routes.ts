import * as contract from "@messageoh/contracts/changes";
import { HIDDEN_MAX, STARRED_MAX } from "@messageoh/contracts/limits";
import { conflict, notFound } from "@messageoh/service-kit/errors";
import type { Routes } from "@messageoh/service-kit/routes";
import { DRAFTS_MAX_BYTES, type Mark, type Marked } from "./changes/marks.model.ts";
import type { Deps } from "./deps.ts";
import { messageKey } from "./messages/message.model.ts";

const MARKS_MAX = { hidden: HIDDEN_MAX, starred: STARRED_MAX };
const STARRED_ENOUGH = `You can star ${STARRED_MAX} messages. Please remove another star first`;
const HIDDEN_ENOUGH = `You have already deleted ${HIDDEN_MAX} messages of this chat for yourself`;
const DRAFTS_ENOUGH = "Your drafts are too long. Please send or delete some of them first";

/** Mounts the calls with which a user keeps something about a thread that the friend never sees. */
export function markRoutes(routes: Routes, { events, marks, members, messages }: Deps): void {
  /**
   * Sets or removes a mark of the user's own: also in a thread with a deleted account, because the friend never sees
   * it.
   */
  async function mark(name: Mark, own: Marked, isMarked: boolean): Promise<boolean> {
    if (!isMarked) {
      await marks.remove(name, own);
      return true;
    }
    const _id = messageKey(own.thread_id, own.seq);
    if (!(await messages.findOne({ _id }, { projection: { _id: 1 } }))) throw notFound("No such message");
    return marks.add(name, own, MARKS_MAX[name]);
  }

  routes.signedIn(
    contract.hideMessage,
    async ({ session, params: { thread_id, seq }, body: { hidden }, requestId }) => {
      const user_id = session.user.id;
      await members.findForMember(thread_id, user_id);
      if (!(await mark("hidden", { thread_id, user_id, seq }, hidden))) throw conflict(HIDDEN_ENOUGH);
      events.toUsers([[user_id], { type: "message_hidden", thread_id, seq, hidden, request_id: requestId }]);
      return { thread_id, seq, hidden };
    },
  );

  routes.signedIn(
    contract.starMessage,
    async ({ session, params: { thread_id, seq }, body: { starred }, requestId }) => {
      const user_id = session.user.id;
      await members.findForMember(thread_id, user_id);
      const own = { thread_id, user_id, seq };
      if (starred) {
        const keys = await marks.findStarred(await members.listOfCached(user_id), user_id);
        if (keys.length >= STARRED_MAX && !keys.includes(messageKey(thread_id, seq))) throw conflict(STARRED_ENOUGH);
      }
      if (!(await mark("starred", own, starred))) throw conflict(STARRED_ENOUGH);
      events.toUsers([[user_id], { type: "message_starred", thread_id, seq, starred, request_id: requestId }]);
      return { thread_id, seq, starred };
    },
  );

  routes.signedIn(contract.saveDraft, async ({ session, params: { thread_id }, body: { text }, requestId }) => {
    const user_id = session.user.id;
    await members.findOpen(thread_id, user_id);
    if (text !== "") {
      const others = (await members.listOfCached(user_id)).filter((thread) => thread.thread_id !== thread_id);
      const bytes = Buffer.byteLength(text) + (await marks.draftBytes(others, user_id));
      if (bytes > DRAFTS_MAX_BYTES) throw conflict(DRAFTS_ENOUGH);
    }
    const draft = await marks.saveDraft(thread_id, user_id, text);
    events.toUsers([[user_id], { type: "draft_saved", thread_id, draft, request_id: requestId }]);
    return { thread_id, draft };
  });
}
