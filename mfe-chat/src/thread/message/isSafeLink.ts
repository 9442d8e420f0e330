/** Returns whether an address in a message may become a link: web and mail addresses, or without a scheme. */
export function isSafeLink(address: string): boolean {
  const scheme = /^([a-z][a-z\d+.-]*):(?!\d)/i.exec(address)?.[1];
  return scheme === undefined || ["http", "https", "mailto"].includes(scheme.toLowerCase());
}
