import { type ReactNode, useEffect, useState } from "react";
import type { LinkedText } from "./LinkedText.tsx";
import { mayContainLink } from "./mayContainLink.ts";

/** Once it is loaded, messages render their links at once. */
let known: typeof LinkedText | null = null;

/**
 * Renders the text of a message with web and mail addresses as links. The code that finds them, with a list of all
 * top-level domains, is loaded with the first text that may contain one; until then the text has no links.
 */
export function MessageText({ text }: { text: string }): ReactNode {
  const isWanted = mayContainLink(text);
  const [Linked, setLinked] = useState(() => known);

  useEffect(() => {
    if (!isWanted || Linked) return;
    let isGone = false;
    import("./LinkedText.tsx").then(
      (module) => {
        known = module.LinkedText;
        if (!isGone) setLinked(() => module.LinkedText);
      },
      (error: unknown) => console.warn("Links are not shown", error),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, Linked]);

  return isWanted && Linked ? <Linked text={text} /> : text;
}
