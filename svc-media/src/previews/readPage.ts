import { PREVIEW_TITLE_MAX_CHARACTERS } from "@messageoh/contracts/linkPreviews";
import { Parser } from "htmlparser2";
import { DECEIVING_CHARACTERS } from "../media/deceivingCharacters.ts";

/** Characters that the parser gets at a time. */
const STEP = 4_096;
/** Open elements. The parser takes time in proportion to their number for each further one. */
const DEPTH_MAX = 200;

/** What a page says about itself in its head. */
export interface Page {
  title: string;
  /** Address of a picture, which may be relative. */
  picture?: string;
}

/** Fields of `meta` elements, the first ones preferred. */
const TITLES = ["og:title", "twitter:title"];
const PICTURES = ["og:image:secure_url", "og:image:url", "og:image", "twitter:image", "twitter:image:src"];

/**
 * Returns the title and the picture of an HTML page, or `null` if it has no title.
 * @param type the header Content-Type, which may name the character set; otherwise the page does, or it is UTF-8
 */
export function readPage(bytes: Buffer, type: string): Page | null {
  const stated = charsetOf(type);
  const head = readHead(decode(bytes, stated ?? "utf-8"));
  const named = stated === undefined ? head.charset : undefined;
  const { fields, title } = named === undefined ? head : readHead(decode(bytes, named));
  const first = (names: readonly string[]) => names.map((name) => fields.get(name)?.trim()).find(Boolean);
  const shown = cleanTitle(first(TITLES) ?? title);
  if (shown === "") return null;
  const picture = first(PICTURES);
  return { title: shown, ...(picture !== undefined && { picture }) };
}

interface Head {
  title: string;
  /** Contents of `meta` elements by `property` or `name`, the first of each. */
  fields: Map<string, string>;
  charset?: string;
}

/** Reads a page up to the end of its head. */
function readHead(html: string): Head {
  const head: Head = { title: "", fields: new Map() };
  let depth = 0;
  let isInTitle = false;
  let isRead = false;

  function readMeta({ property, name, content = "", charset, ...others }: Record<string, string>): void {
    const key = (property ?? name ?? "").toLowerCase();
    if (key !== "" && !head.fields.has(key)) head.fields.set(key, content);
    const isType = others["http-equiv"]?.toLowerCase() === "content-type";
    const named = charset ?? (isType ? charsetOf(content) : undefined);
    if (named !== undefined) head.charset ??= named;
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (name === "body" || depth > DEPTH_MAX) isRead = true;
      if (isRead) return;
      if (name === "meta") readMeta(attributes);
      // Titles of drawings come later.
      if (name === "title" && head.title === "") isInTitle = true;
    },
    ontext(text) {
      if (isInTitle && head.title.length < 10 * PREVIEW_TITLE_MAX_CHARACTERS) head.title += text;
    },
    onclosetag(name) {
      depth -= 1;
      if (name === "title") isInTitle = false;
      if (name === "head") isRead = true;
    },
  });
  for (let at = 0; at < html.length && !isRead; at += STEP) parser.write(html.slice(at, at + STEP));
  return head;
}

const charsetOf = (type: string): string | undefined => /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(type)?.[1];

/** Decodes bytes. An unknown character set counts as UTF-8. */
function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Returns one line without characters that could deceive a reader. */
function cleanTitle(given: string): string {
  const line = given.replace(/\s+/g, " ").replace(DECEIVING_CHARACTERS, "").trim();
  const characters = Array.from(line.slice(0, 4 * PREVIEW_TITLE_MAX_CHARACTERS));
  if (characters.length <= PREVIEW_TITLE_MAX_CHARACTERS) return line;
  return `${characters
    .slice(0, PREVIEW_TITLE_MAX_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}
