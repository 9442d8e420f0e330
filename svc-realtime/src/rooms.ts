/** Returns the room of all sockets of a user on this instance. A socket joins it before the client learns that it is connected. */
export const userRoom = (userId: string) => `user:${userId}`;
/** Returns the room of all sockets of a session. */
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;
/** Returns the room of both friends' sockets on all instances. It carries typing and presence, which are never stored. */
export const pairRoom = (threadId: string) => `pair:${threadId}`;
