import * as changes from "@messageoh/contracts/changes";
import type { Endpoint } from "@messageoh/contracts/endpoint";
import * as contract from "@messageoh/contracts/messages";
import { createLocalLimits, type LimitRow, limitFinder } from "@messageoh/service-kit/limitTable";
import type { Rate } from "@messageoh/service-kit/rateLimit";

/** The rate limits of this service, per user and instance. */
export const RATE_LIMITS = {
  reads: {
    setting: "LIMIT_MESSAGE_READS_PER_USER",
    fallback: "1200/60",
    counts: "Pages and lists of messages that one user reads",
    text: "You are loading too fast",
  },
  lists: {
    setting: "LIMIT_MESSAGE_LISTS_PER_USER",
    fallback: "60/60",
    counts: "Lists over all threads that one user reads, which are part of the reads",
    text: "You are loading too fast",
  },
  threads: {
    setting: "LIMIT_THREAD_LISTS_PER_USER",
    fallback: "30/10",
    counts: "Lists of threads that one user reads",
    text: "You are loading too fast",
  },
  searches: {
    setting: "LIMIT_MESSAGE_SEARCHES_PER_USER",
    fallback: "60/10",
    counts: "Searches in messages by one user, which are part of the reads",
    text: "You are searching too fast",
  },
  markers: {
    setting: "LIMIT_MARKERS_PER_USER",
    fallback: "200/10",
    counts: "Threads that one user marks as read",
    text: "You are reading too fast",
  },
  changes: {
    setting: "LIMIT_MESSAGE_CHANGES_PER_USER",
    fallback: "120/60",
    counts: "Edits, deletions, reactions, pins, and hidden and starred messages of one user",
    text: "You are changing messages too fast",
  },
  drafts: {
    setting: "LIMIT_DRAFTS_PER_USER",
    fallback: "120/60",
    counts: "Drafts that one user saves",
    text: "You are saving drafts too fast",
  },
  exports: {
    setting: "LIMIT_DOWNLOADS_PER_USER",
    fallback: "10/3600",
    counts: "Downloads of all data by one user",
    text: "You have downloaded your data too often",
  },
} as const satisfies Record<string, LimitRow>;

export type LimitRates = Record<keyof typeof RATE_LIMITS, Rate>;

/** Limit of each endpoint that browsers call. An endpoint that is missing here cannot be mounted. */
const LIMIT_OF = new Map<Endpoint, keyof LimitRates>([
  [contract.listMessages, "reads"],
  [contract.listThreads, "threads"],
  [contract.exportData, "exports"],
  [contract.updateMessageRead, "markers"],
  [changes.editMessage, "changes"],
  [changes.deleteMessage, "changes"],
  [changes.reactToMessage, "changes"],
  [changes.hideMessage, "changes"],
  [changes.pinMessage, "changes"],
  [changes.starMessage, "changes"],
  [changes.listStarred, "lists"],
  [changes.saveDraft, "drafts"],
  [changes.listEdits, "reads"],
]);

export type Limits = ReturnType<typeof createLimits>;

/** Creates the rate limits. */
export function createLimits(rates: LimitRates) {
  const limits = createLocalLimits(RATE_LIMITS, rates);
  return { ...limits, of: limitFinder(LIMIT_OF, limits) };
}
