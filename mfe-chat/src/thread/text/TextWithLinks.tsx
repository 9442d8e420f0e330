import type { ReactNode } from "react";
import { onDemand, useCode } from "../../requests/onDemand.ts";
import { mayContainLink } from "./mayContainLink.ts";

const linksCode = onDemand(() => import("./LinkedText.tsx"), "Links");

/**
 * Renders a text with web and mail addresses as links. The code that finds them, with a list of all
 * top-level domains, is loaded with the first text that may contain one; until then the text has no links.
 */
export function TextWithLinks({ text }: { text: string }): ReactNode {
  const links = useCode(linksCode, mayContainLink(text));
  return links ? <links.LinkedText text={text} /> : text;
}
