/** A stored message, named in the same way for both members of its thread. */
export interface MessageReference {
  thread_id: string;
  seq: number;
}

/**
 * Returns the address of a message. The fragment names the thread and not the friend, because each member has another
 * friend, and it does not reach the server's logs.
 */
export function messageLink({ thread_id, seq }: MessageReference, origin: string): string {
  const parts = new URLSearchParams({ thread: thread_id, message: String(seq) });
  return `${origin}/home#${parts}`;
}

/** Returns the message that the fragment of an address names, or `null`. */
export function linkedMessage(hash: string): MessageReference | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const thread_id = parts.get("thread");
  const seq = Number(parts.get("message"));
  return thread_id && Number.isSafeInteger(seq) && seq > 0 ? { thread_id, seq } : null;
}
