import { plainText } from "@messageoh/contracts/formatting";
import { containsLink, LINK_MAX_CHARACTERS, type LinkPreview } from "@messageoh/contracts/linkPreviews";
import { createLinkPreview } from "@messageoh/contracts/media";
import { useEffect, useState } from "react";
import { useChat } from "../../useChat.ts";
import { findLinks } from "../text/findLinks.ts";

/** Time without typing before the server is asked, in milliseconds. */
const PAUSE_MS = 800;

/**
 * Returns the preview of the first link of a text that is being written, once it is loaded, and the function that
 * removes it.
 */
export function useLinkPreview(threadId: string, text: string) {
  const { call } = useChat().api;
  const [settled, setSettled] = useState<string | null>(null);
  const [loaded, setLoaded] = useState<{ url: string; preview: LinkPreview | null } | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const isWanted = settled !== null && settled !== removed && containsLink(text, settled);
  const url = isWanted ? settled : null;
  const isLoaded = loaded !== null && loaded.url === url;

  useEffect(() => {
    const timer = setTimeout(() => setSettled(firstLink(text)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  useEffect(() => {
    if (url === null || isLoaded) return;
    const request = new AbortController();
    const show = (preview: LinkPreview | null) => {
      if (!request.signal.aborted) setLoaded({ url, preview });
    };
    // A message needs no preview, so a failure is not shown.
    call(createLinkPreview, { body: { thread_id: threadId, url }, signal: request.signal }).then(
      ({ preview }) => show(preview),
      () => show(null),
    );
    return () => request.abort();
  }, [call, threadId, url, isLoaded]);

  return { preview: isLoaded ? loaded.preview : null, remove: () => setRemoved(url) };
}

/** Returns the first web address of a text as a link. */
function firstLink(text: string): string | null {
  const isWeb = ({ href }: { href: string }) => /^https?:/i.test(href) && href.length <= LINK_MAX_CHARACTERS;
  return findLinks(plainText(text)).find(isWeb)?.href ?? null;
}
