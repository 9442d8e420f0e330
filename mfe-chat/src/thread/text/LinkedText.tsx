import type { ReactNode } from "react";
import { findLinks } from "./findLinks.ts";

/** Renders a text with web and mail addresses as links. */
export function LinkedText({ text }: { text: string }): ReactNode {
  let rest = 0;
  const parts = findLinks(text).map(({ start, end, href }) => {
    const before = text.slice(rest, start);
    rest = end;
    return [
      before,
      <a key={start} href={href} target="_blank" rel="noopener noreferrer">
        {text.slice(start, end)}
      </a>,
    ];
  });
  return [...parts, text.slice(rest)];
}
