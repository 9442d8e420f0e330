import { ACCOUNTS } from "./accounts.ts";
import type { Breakage } from "./breakage.ts";
import { DELIVERING } from "./delivering.ts";
import { SENDING } from "./sending.ts";
import { SHOWING } from "./showing.ts";

export const BREAKAGES: readonly Breakage[] = [...SENDING, ...DELIVERING, ...SHOWING, ...ACCOUNTS];
