import { listThreads } from "@messageoh/contracts/messages";
import { until } from "@messageoh/stack/ports";
import { withRetries } from "../../client/account.ts";
import type { World } from "../clients/world.ts";

const POLL_MS = 500;

/** Writes a draft in a tab of each person, and checks that the server gets it. */
export async function checkDrafts({ people, ledger }: World, boundMs: number): Promise<void> {
  await Promise.all(
    people.map(async ({ id, call, tabs: [tab], friends }) => {
      const [threadId] = friends.values();
      if (!tab || threadId === undefined) return;
      const text = `a draft of ${id}`;
      let saved: string | undefined;
      tab.chat.messages.saveDraft(threadId, text);
      const isSaved = async () => {
        const states = await withRetries(() => call(listThreads, { params: { user_id: id } }));
        saved = states.find(({ thread_id }) => thread_id === threadId)?.draft?.text;
        return saved === text;
      };
      const about = () => `the server has "${saved}" of ${id} in ${threadId}`;
      ledger.checks.verify("a draft is saved", await until(isSaved, boundMs, POLL_MS), about);
    }),
  );
}
