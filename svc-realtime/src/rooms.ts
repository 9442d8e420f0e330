/** All sockets of a user on this instance. Joined in the handshake, so that no event falls between connecting and joining. */
export const userRoom = (userId: string) => `user:${userId}`;
/** All sockets of one session. */
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;
/** Both friends' sockets on all instances, for what is live only: typing and presence. */
export const pairRoom = (threadId: string) => `pair:${threadId}`;
