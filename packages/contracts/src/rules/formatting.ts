/** A part of a line: text, or what marks format. */
export type Inline = string | { kind: MarkKind; content: readonly Inline[] } | { kind: "code"; text: string };

export type MarkKind = "bold" | "italic" | "strike";

export interface ListItem {
  /** Number as typed; `null` for a bullet. */
  number: string | null;
  content: readonly Inline[];
}

/** A part of a text that takes whole lines. */
export type Block =
  | { kind: "text" | "quote"; content: readonly Inline[] }
  | { kind: "list"; isNumbered: boolean; items: readonly ListItem[] }
  | { kind: "code"; text: string };

const KINDS: Readonly<Record<string, MarkKind>> = { "*": "bold", _: "italic", "~": "strike" };
const MARKS = "*_~`";
const LINE_MARK = /^(?:(> )|[-*] |(\d{1,3})\. )(?=\S)/;
const FENCE = "```";
/** Letters, digits, and the accents that combine with them. */
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** Characters at the end of a word that belong to no address in it. */
const AFTER_ADDRESS = /[*_~`.,:;!?)]/;

/** Returns false if a text certainly has no formatting. */
export const mayBeFormatted = (text: string): boolean => /[*_~`]|^(?:>|-|\d+\.) /m.test(text);

/**
 * Returns the blocks of a text with the formatting of WhatsApp: `*bold*`, `_italic_`, `~strike~`, `` `code` ``, code
 * blocks between three backticks, and lines that begin with `> `, `- `, `* ` or `1. `. The time is proportional to the
 * length.
 */
export function parseFormatting(text: string): Block[] {
  const blocks: Block[] = [];
  const parts = text.split(FENCE);
  let outside = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 2) {
    const code = parts[index] ?? "";
    const after = parts[index + 1];
    if (after !== undefined && code.trim() !== "") {
      addLines(blocks, outside.replace(/\n$/, ""));
      blocks.push({ kind: "code", text: code.replace(/^\n|\n$/g, "") });
      outside = after.replace(/^\n/, "");
    } else outside += FENCE + code + (after === undefined ? "" : FENCE + after);
  }
  addLines(blocks, outside);
  return blocks;
}

/** Returns what a text says without its marks, for previews and notifications. */
export function plainText(text: string): string {
  if (!mayBeFormatted(text)) return text;
  return parseFormatting(text)
    .map((block) => {
      if (block.kind === "code") return block.text;
      if (block.kind !== "list") return plainLine(block.content);
      return block.items
        .map(({ number, content }) => `${number ? `${number}.` : "•"} ${plainLine(content)}`)
        .join("\n");
    })
    .join("\n");
}

const plainLine = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => (typeof node === "string" ? node : node.kind === "code" ? node.text : plainLine(node.content)))
    .join("");

/** Adds parts of a line. Adjacent texts become one, because an address may begin in one and end in the other. */
function push(content: Inline[], ...nodes: readonly Inline[]): void {
  for (const node of nodes) {
    const last = content.at(-1);
    if (typeof last === "string" && typeof node === "string") content[content.length - 1] = last + node;
    else content.push(node);
  }
}

/** Adds the blocks of a text without code blocks. Lines of the same kind make one block. */
function addLines(blocks: Block[], text: string): void {
  if (text === "") return;
  let kind: string | null = null;
  let content: Inline[] = [];
  let items: ListItem[] = [];
  for (const line of text.split("\n")) {
    const [mark = "", quote, number = null] = LINE_MARK.exec(line) ?? [];
    const isItem = mark !== "" && quote === undefined;
    const lineKind = isItem ? (number === null ? "-" : "1.") : mark;
    const ofLine = formatLine(line.slice(mark.length));
    if (lineKind === kind) {
      if (isItem) items.push({ number, content: ofLine });
      else push(content, "\n", ...ofLine);
      continue;
    }
    kind = lineKind;
    content = ofLine;
    items = [{ number, content }];
    if (isItem) blocks.push({ kind: "list", isNumbered: number !== null, items });
    else blocks.push({ kind: quote ? "quote" : "text", content });
  }
}

/** Marks that are open, and what follows each of them. The outermost one is the line itself. */
interface Open {
  mark: string;
  content: Inline[];
}

/** Returns the parts of a line. */
function formatLine(line: string): Inline[] {
  if (!/[*_~`]/.test(line)) return [line];
  const isInAddress = addressesIn(line);
  const root: Open = { mark: "", content: [] };
  const open = [root];
  let inner = root;
  let rest = 0;
  let mayCloseCode = true;

  function take(end: number, next: number): void {
    if (end > rest) push(inner.content, line.slice(rest, end));
    rest = next;
  }

  /** Ends the marks above a depth, which nothing closes: they are text. */
  function flatten(depth: number): void {
    while (open.length > depth) {
      const { mark, content } = open.pop() as Open;
      inner = open.at(-1) ?? root;
      push(inner.content, mark, ...content);
    }
  }

  for (let at = 0; at < line.length; at += 1) {
    const mark = line[at] as string;
    if (!MARKS.includes(mark) || isInAddress(at)) continue;
    const depth = open.findIndex((other) => other.mark === mark);
    if (depth > 0 && canClose(line, at)) {
      take(at, at + 1);
      flatten(depth + 1);
      const { content } = open.pop() as Open;
      inner = open.at(-1) ?? root;
      inner.content.push({ kind: KINDS[mark] as MarkKind, content });
    } else if (depth < 0 && canOpen(line, at)) {
      if (mark !== "`") {
        take(at, at + 1);
        inner = { mark, content: [] };
        open.push(inner);
      } else if (mayCloseCode) {
        const end = closingOf(line, at);
        mayCloseCode = end > 0;
        if (end < 0) continue;
        take(at, end + 1);
        inner.content.push({ kind: "code", text: line.slice(at + 1, end) });
        at = end;
      }
    }
  }
  take(line.length, line.length);
  flatten(1);
  return root.content;
}

function closingOf(line: string, opening: number): number {
  let end = line.indexOf("`", opening + 1);
  while (end > 0 && !canClose(line, end)) end = line.indexOf("`", end + 1);
  return end;
}

const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);
const isAlone = (line: string, at: number) => line[at - 1] !== line[at] && line[at + 1] !== line[at];

const canOpen = (line: string, at: number): boolean =>
  isAlone(line, at) && !isWord(line[at - 1]) && !isSpace(line[at + 1]);
const canClose = (line: string, at: number): boolean =>
  isAlone(line, at) && !isSpace(line[at - 1]) && !isWord(line[at + 1]);

/**
 * Returns whether a position is in the path of a web address, where marks are part of it. Call it with ascending
 * positions.
 */
function addressesIn(line: string): (at: number) => boolean {
  if (!line.includes("/")) return () => false;
  const words = line.matchAll(/\S+/g);
  let from = 0;
  let to = 0;
  let wordEnd = 0;
  return (at) => {
    while (at >= wordEnd) {
      const { value } = words.next();
      if (!value) return false;
      const [word] = value;
      wordEnd = value.index + word.length;
      const host = word.search(/[.:]/);
      const slash = host < 0 ? -1 : word.indexOf("/", host);
      let end = word.length;
      while (end > 0 && AFTER_ADDRESS.test(word[end - 1] as string)) end -= 1;
      [from, to] = slash < 0 ? [0, 0] : [value.index + slash, value.index + end];
    }
    return at >= from && at < to;
  };
}
