import { randomBytes } from "node:crypto";

/** Returns a unique user name, because tests share a stack. */
export const uniqueName = (name: string) => `${name} ${randomBytes(4).toString("hex")}`;
