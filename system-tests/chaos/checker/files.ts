import { until } from "@messageoh/stack/ports";
import { headersOf } from "../../client/account.ts";
import { download } from "../../client/media.ts";
import { hashOf } from "../clients/actions/fileActions.ts";
import type { World } from "../clients/world.ts";
import { describeSent } from "./ledger.ts";

const RETRY_MS = 500;

/** Checks that the recipient of each acked file can load its bytes, unless its message or the friendship is gone. */
export async function checkFiles({ url, ledger, people }: World, boundMs: number): Promise<void> {
  const name = "an acked file can be downloaded";
  if (ledger.files.length === 0) ledger.checks.leaveOut("a valid file is accepted", "nobody sent a file in this run");
  const loadable = ledger.files.flatMap(({ sent, ...file }) => {
    const recipient = people.find(({ id, isGone }) => id === sent.to && !isGone);
    const isDeleted = sent.deletion !== undefined || ledger.withoutTexts.has(sent.from);
    return !recipient || isDeleted || ledger.hasEnded(sent.threadId) ? [] : [{ ...file, sent, recipient }];
  });
  if (loadable.length === 0) ledger.checks.leaveOut(name, "no file of this run can still be loaded");
  for (const { sent, mediaId, hash, recipient } of loadable) {
    const { call, browser } = recipient;
    const reader = { url, headers: headersOf(browser.session), call };
    let found = "no response";
    const isLoaded = async () => {
      const response = await download(reader, mediaId, "file");
      found = response.ok ? hashOf(await response.bytes()) : `status ${response.status}`;
      return found === hash;
    };
    const isLoadable = await until(() => isLoaded().catch(() => false), boundMs, RETRY_MS);
    ledger.checks.verify(name, isLoadable, () => `${mediaId} of ${describeSent(sent)}: ${found}`);
  }
}
