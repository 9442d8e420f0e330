import * as v from "valibot";
import { atMost, id, int } from "./fields.ts";
import { plainText } from "./formatting.ts";

/** Characters of a link that can have a preview. */
export const LINK_MAX_CHARACTERS = 2_000;
/** Characters of the title of a page. A longer one is shortened. */
export const PREVIEW_TITLE_MAX_CHARACTERS = 200;

const NO_LINK = "A link begins with http:// or https://";

/** Schema of a link that can have a preview. */
export const webLink = v.pipe(
  v.string(NO_LINK),
  ...atMost(LINK_MAX_CHARACTERS, `A link has at most ${LINK_MAX_CHARACTERS} characters`),
  v.check((link) => /^https?:\/\//i.test(link) && URL.canParse(link), NO_LINK),
);

/**
 * Schema of a link preview: what a message shows of a page to which its text links. The server has read the page, so
 * the sender cannot choose the title.
 */
export const linkPreview = v.object({
  /** Id of the picture; see `getMedia`. */
  id,
  /** The link as the text contains it, with its scheme. */
  url: v.string(),
  title: v.string(),
  /** Host of the link. */
  site: v.string(),
  /** Size of the picture in pixels, if there is one. */
  picture: v.optional(v.object({ width: int, height: int })),
});
export type LinkPreview = v.InferOutput<typeof linkPreview>;

/** Characters before an address that belong to a longer one, unless a scheme ends there. */
const GOES_ON_BEFORE = /[\p{L}\p{N}@.-]$/u;
/** The start of what continues an address. */
const GOES_ON_AFTER = /^(?:[\p{L}\p{N}/?#&=%@_-]|[.:+,;!~]+[\p{L}\p{N}/])/u;

/** Returns the preview that a message has with this text. */
export const previewIn = (text: string, preview: LinkPreview | undefined): LinkPreview | undefined =>
  preview && containsLink(text, preview.url) ? preview : undefined;

/** Returns whether a text contains a link, with or without its scheme. A message has a preview only while it does. */
export function containsLink(text: string, url: string): boolean {
  const address = url.replace(/^https?:\/\//i, "");
  const plain = plainText(text);
  for (let at = plain.indexOf(address); at >= 0; at = plain.indexOf(address, at + 1)) {
    const end = at + address.length;
    const goesOn = GOES_ON_BEFORE.test(plain.slice(Math.max(0, at - 2), at));
    if (!goesOn && !GOES_ON_AFTER.test(plain.slice(end, end + 8))) return true;
  }
  return false;
}
