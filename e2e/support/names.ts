import { randomBytes } from "node:crypto";

/** A name that no other test has taken: the stack is shared and may be kept. */
export const uniqueName = (name: string) => `${name} ${randomBytes(4).toString("hex")}`;
