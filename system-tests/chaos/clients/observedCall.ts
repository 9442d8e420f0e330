import { ApiError, type Call, createClient } from "@messageoh/contracts/client";
import {
  listMessages,
  listThreads,
  type Message,
  type ThreadState,
  updateMessageRead,
} from "@messageoh/contracts/messages";
import { headersOf } from "../../client/account.ts";
import type { Ledger, Session } from "../checker/ledger.ts";

/** Returns a client for HTTP calls with a session, which checks each response. */
export function observedCall(url: string, ledger: Ledger, session: () => Session): Call {
  const { checks } = ledger;
  const headers = () => headersOf(session());
  const call = createClient({ baseUrl: `${url}/messageoh`, headers, timeoutMs: 15_000 });

  return async (endpoint, input) => {
    const used = session();
    const threadIds = endpoint.path === listThreads.path ? ledger.threadsOf(used.userId) : [];
    const known = new Map(threadIds.map((threadId) => [threadId, ledger.knownTo(used.userId, threadId)]));
    try {
      const response = await call(endpoint, input);
      if (used.endingAt === undefined) checks.verify("no 401 with a valid session", true, String);
      observe(used.userId, endpoint.path, response, known);
      return response;
    } catch (error) {
      if (used.endingAt === undefined && error instanceof ApiError) {
        const about = () => `${endpoint.method} ${endpoint.path} of ${used.userId}`;
        checks.verify("no 401 with a valid session", error.status !== 401, about);
      }
      throw error;
    }
  };

  function observe(userId: string, path: string, response: unknown, known: ReadonlyMap<string, number>): void {
    if (path === listMessages.path) for (const message of response as Message[]) ledger.see(userId, message);
    if (path === listThreads.path) for (const state of response as ThreadState[]) observeThread(userId, state, known);
    if (path === updateMessageRead.path) {
      const marker = response as { thread_id: string; seq: number };
      ledger.hasRead(userId, marker.thread_id, marker.seq);
    }
  }

  function observeThread(userId: string, state: ThreadState, known: ReadonlyMap<string, number>): void {
    const { thread_id, friend_id, last_seq } = state;
    const before = known.get(thread_id) ?? 0;
    const about = () => `${userId} knew ${before} of ${thread_id}, the list says ${last_seq}`;
    checks.verify("a thread list is not stale", last_seq >= before || ledger.mayReadOld(), about);
    ledger.list(userId, thread_id, last_seq);
    if (state.last_message) ledger.see(userId, state.last_message);
    ledger.checkMarker(userId, "read", thread_id, friend_id, state.friend_read_seq);
    ledger.checkMarker(userId, "delivered", thread_id, friend_id, state.friend_delivered_seq);
  }
}
