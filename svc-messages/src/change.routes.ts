import * as contract from "@messageoh/contracts/changes";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { Routes } from "@messageoh/service-kit/routes";
import { type ChangeRule, deletionBy, editBy, pinBy, reactionBy } from "./changes/changeRules.ts";
import type { Deps } from "./deps.ts";
import { toMessage } from "./messages/message.model.ts";
import { pinnedFilter } from "./reading/history.ts";

interface Change {
  thread: ThreadMembers;
  seq: number;
  requestId: string;
}

/** Mounts the calls with which browsers change messages. */
export function changeRoutes(
  routes: Routes,
  { blocks, changeRow, events, history, markers, members, messages }: Deps,
): void {
  /**
   * Changes a message and publishes its newest state: also if it is unchanged, because an earlier event may be lost.
   */
  async function change({ thread, seq, requestId }: Change, rule: ChangeRule) {
    const [row, markerOf] = await Promise.all([changeRow(thread.thread_id, seq, rule), markers.find([thread])]);
    const message = toMessage(row, seq <= markerOf(row.thread_id, row.recipient_user_id).read_seq);
    if (message.change !== undefined)
      events.toUsers([thread.user_ids, { type: "message_changed", message, request_id: requestId }]);
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
    const thread = await members.findOpen(params.thread_id, session.user.id);
    return changeText({ thread, seq: params.seq, requestId }, editBy(session.user.id, body));
  });

  routes.signedIn(contract.deleteMessage, async ({ session, params, requestId }) => {
    const thread = await members.findOpen(params.thread_id, session.user.id);
    return changeText({ thread, seq: params.seq, requestId }, deletionBy(session.user.id));
  });

  routes.signedIn(contract.reactToMessage, async ({ session, params, body, requestId }) => {
    const thread = await members.findOpen(params.thread_id, session.user.id);
    return change({ thread, seq: params.seq, requestId }, reactionBy(session.user.id, body.emoji));
  });

  routes.signedIn(contract.pinMessage, async ({ session, params, body, requestId }) => {
    const thread = await members.findOpen(params.thread_id, session.user.id);
    const countPinned = () => messages.countDocuments(pinnedFilter(thread.thread_id));
    return change({ thread, seq: params.seq, requestId }, pinBy(session.user.id, body.pinned, countPinned));
  });

  routes.signedIn(contract.listEdits, async ({ session, params }) => {
    const thread = await members.findForMember(params.thread_id, session.user.id);
    return history.versions(thread, params.seq);
  });
}
