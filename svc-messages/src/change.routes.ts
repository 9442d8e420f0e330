import * as contract from "@messageoh/contracts/changes";
import { ACCOUNT_DELETED } from "@messageoh/contracts/errorTexts";
import { HIDDEN_MAX } from "@messageoh/contracts/limits";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { conflict, forbidden, notFound } from "@messageoh/service-kit/errors";
import { type ChangeRule, deletionBy, editBy, reactionBy } from "./changes/changeRules.ts";
import type { Deps, MessageRoutes } from "./deps.ts";
import { messageKey, toMessage } from "./messages/message.model.ts";

const HIDDEN_ENOUGH = `You have already deleted ${HIDDEN_MAX} messages of this chat for yourself`;

interface Change {
  thread: ThreadMembers;
  seq: number;
  requestId: string;
}

/** Mounts the calls with which browsers change messages. */
export function changeRoutes(
  routes: MessageRoutes,
  { blocks, changeRow, events, hidden, history, markers, members, messages }: Deps,
): void {
  async function findOpen(threadId: string, userId: string): Promise<ThreadMembers> {
    const thread = await members.findForMember(threadId, userId);
    if (thread.is_closed) throw forbidden(ACCOUNT_DELETED);
    return thread;
  }

  /** Changes a message and publishes its newest state: also if it is unchanged, because an earlier event may be lost. */
  async function change({ thread, seq, requestId }: Change, rule: ChangeRule) {
    const [row, markerOf] = await Promise.all([changeRow(thread.thread_id, seq, rule), markers.find([thread])]);
    const message = toMessage(row, seq <= markerOf(row.thread_id, row.recipient_user_id).read_seq);
    if (message.change !== undefined) events.messageChanged(message, thread.user_ids, requestId);
    return message;
  }

  /** Changes the text of a message, which a search block may contain. */
  async function changeText(what: Change, rule: ChangeRule) {
    const message = await change(what, rule);
    // If this process ends before, the client repeats the call.
    await blocks.forgetBlockOf(what.thread.thread_id, what.seq);
    return message;
  }

  routes.signedIn(contract.editMessage, async ({ session, params, body, requestId }) => {
    const thread = await findOpen(params.thread_id, session.user.id);
    return changeText({ thread, seq: params.seq, requestId }, editBy(session.user.id, body));
  });

  routes.signedIn(contract.deleteMessage, async ({ session, params, requestId }) => {
    const thread = await findOpen(params.thread_id, session.user.id);
    return changeText({ thread, seq: params.seq, requestId }, deletionBy(session.user.id));
  });

  routes.signedIn(contract.reactToMessage, async ({ session, params, body, requestId }) => {
    const thread = await findOpen(params.thread_id, session.user.id);
    return change({ thread, seq: params.seq, requestId }, reactionBy(session.user.id, body.emoji));
  });

  // Also in a thread with a deleted account, because it changes nothing for the friend.
  routes.signedIn(contract.hideMessage, async ({ session, params, body, requestId }) => {
    const { id } = session.user;
    const { thread_id } = await members.findForMember(params.thread_id, id);
    const { seq } = params;
    const row = await messages.findOne({ _id: messageKey(thread_id, seq) }, { projection: { _id: 1 } });
    if (!row) throw notFound("No such message");
    if (!body.hidden) await hidden.show(thread_id, id, seq);
    else if (!(await hidden.hide(thread_id, id, seq))) throw conflict(HIDDEN_ENOUGH);
    const result = { thread_id, seq, hidden: body.hidden };
    events.messageHidden(id, result, requestId);
    return result;
  });

  routes.signedIn(contract.listEdits, async ({ session, params }) => {
    const thread = await members.findForMember(params.thread_id, session.user.id);
    return history.versions(thread, params.seq);
  });
}
