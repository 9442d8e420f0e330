import { createClient } from "@messageoh/contracts/client";

export const call = createClient({ baseUrl: "/messageoh" });
