const LATIN = /\p{Script=Latin}/u;
/** Letters of other scripts, some of which look like Latin ones. */
const SIMILAR = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/**
 * Returns whether an address in a message may become a link: web and mail addresses, or without a scheme. An address
 * that may be taken for another one does not, because it has a name before its host or a host with letters that look
 * Latin.
 */
export function isSafeLink(address: string): boolean {
  const scheme = /^([a-z][a-z\d+.-]*):(?!\d)/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "mailto"].includes(scheme)) return false;
  const [authority = ""] = address.replace(/^[a-z]+:(?:\/\/)?(?!\d)/i, "").split(/[/?#]/);
  const at = authority.lastIndexOf("@");
  if (at >= 0 && (scheme === "http" || scheme === "https")) return false;
  return !looksLatin(authority.slice(at + 1).replace(/:\d*$/, ""));
}

/** Returns whether a host mixes letters that look alike, or has them under a Latin top-level domain. */
function looksLatin(host: string): boolean {
  const labels = host.split(".");
  const isMixed = labels.some((label) => LATIN.test(label) && SIMILAR.test(label));
  return isMixed || (SIMILAR.test(host) && LATIN.test(labels.at(-1) ?? ""));
}
