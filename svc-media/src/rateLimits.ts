import type { Endpoint } from "@messageoh/contracts/endpoint";
import * as contract from "@messageoh/contracts/media";
import { createLocalLimits, type LimitRow, limitFinder } from "@messageoh/service-kit/limitTable";
import type { Rate } from "@messageoh/service-kit/rateLimit";

/** The rate limits of this service, per user and instance. The bytes count over all instances. */
export const RATE_LIMITS = {
  uploads: {
    setting: "LIMIT_UPLOADS_PER_USER",
    fallback: "300/3600",
    counts: "Uploads that one user begins",
    text: "You are uploading too many files",
  },
  parts: {
    setting: "LIMIT_UPLOAD_PARTS_PER_USER",
    fallback: "600/60",
    counts: "Requests of one user that continue an upload",
    text: "You are uploading too fast",
  },
  bytes: {
    setting: "LIMIT_UPLOAD_BYTES_PER_USER",
    fallback: "1000000000/86400",
    counts: "Bytes of the uploads that one user begins, over all instances",
    text: "You have reached the daily limit for files",
  },
  reads: {
    setting: "LIMIT_MEDIA_READS_PER_USER",
    fallback: "2400/60",
    counts: "Pictures and files that one user loads",
    text: "You are loading too fast",
  },
  exports: {
    setting: "LIMIT_MEDIA_EXPORTS_PER_USER",
    fallback: "10/3600",
    counts: "Downloads of all files by one user",
    text: "You have downloaded your files too often",
  },
  sums: {
    setting: "LIMIT_MEDIA_SUMS_PER_USER",
    fallback: "60/3600",
    counts: "Reads of the space that one user's files take up",
    text: "You are loading too fast",
  },
  previews: {
    setting: "LIMIT_LINK_PREVIEWS_PER_USER",
    fallback: "120/3600",
    counts: "Pages that one user has loaded for link previews",
    text: "You are loading too many link previews",
  },
} as const satisfies Record<string, LimitRow>;

export type LimitRates = Record<keyof typeof RATE_LIMITS, Rate>;

/** All but the bytes, which all instances count together. */
const { bytes: _, ...LOCAL } = RATE_LIMITS;

/** Limit of each endpoint that browsers call. An endpoint that is missing here cannot be mounted. */
const LIMIT_OF = new Map<Endpoint, keyof typeof LOCAL>([
  [contract.getMediaState, "reads"],
  [contract.getMedia, "reads"],
  [contract.exportMedia, "exports"],
  [contract.getUsedSpace, "sums"],
  [contract.createLinkPreview, "previews"],
]);

export type Limits = ReturnType<typeof createLimits>;

/** Creates the rate limits of this instance. */
export function createLimits(rates: LimitRates) {
  const limits = createLocalLimits(LOCAL, rates, "media_");
  return { ...limits, of: limitFinder(LIMIT_OF, limits) };
}
