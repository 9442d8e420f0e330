const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A new trace and its first step, as W3C Trace Context writes them: the server records it, the page carries no SDK. */
export const newTraceparent = (): string => `00-${hex(16)}-${hex(8)}-01`;
