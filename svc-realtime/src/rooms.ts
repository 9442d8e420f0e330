/** Returns the room of all sockets of a user on all instances. A socket joins it before the client learns that it is connected. */
export const userRoom = (userId: string) => `user:${userId}`;
