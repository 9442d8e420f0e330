import { type Block, type Inline, parseFormatting } from "@messageoh/contracts/formatting";
import { createElement, Fragment, type ReactElement, type ReactNode, useMemo } from "react";
import { CodeBlock } from "./CodeBlock.tsx";
import css from "./FormattedText.module.css";
import { TextWithLinks } from "./TextWithLinks.tsx";

export interface FormattedTextProps {
  text: string;
  /** Whether Tab reaches the buttons of code blocks. */
  isTabStop: boolean;
}

const TAGS = { bold: "strong", italic: "em", strike: "s" };

/** Renders a text with its formatting and links. */
export function FormattedText({ text, isTabStop }: FormattedTextProps): ReactElement {
  const blocks = useMemo(() => parseFormatting(text), [text]);
  const [first] = blocks;
  if (blocks.length === 1 && first?.kind === "text") return line(first.content);
  // The element around the text takes its direction from the first block.
  return all(blocks.map((block, index) => viewOf(block, index === 0 ? undefined : "auto", isTabStop)));
}

/** Renders children that have no keys, because they are replaced together. */
const all = (children: readonly ReactNode[]) => createElement(Fragment, null, ...children);

function viewOf(block: Block, dir: "auto" | undefined, isTabStop: boolean): ReactElement {
  if (block.kind === "code") return <CodeBlock code={block.text} isTabStop={isTabStop} />;
  if (block.kind === "list") {
    const items = block.items.map(({ number, content }) => createElement("li", { value: number }, line(content)));
    return createElement(block.isNumbered ? "ol" : "ul", { className: css.list, dir }, ...items);
  }
  return createElement(
    block.kind === "quote" ? "blockquote" : "div",
    { className: block.kind === "quote" ? css.quote : css.lines, dir },
    line(block.content),
  );
}

const line = (content: readonly Inline[]) => all(content.map(inlineView));

function inlineView(node: Inline): ReactElement {
  if (typeof node === "string") return <TextWithLinks text={node} />;
  if (node.kind === "code") return <code className={css.code}>{node.text}</code>;
  return createElement(TAGS[node.kind], null, line(node.content));
}
