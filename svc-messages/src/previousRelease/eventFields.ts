/** Returns the fields of a message event that only svc-realtime of the previous release reads. */
export const eventFields = () => ({ published_at: Date.now() });
