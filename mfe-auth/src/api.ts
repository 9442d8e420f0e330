import { API_BASE, createClient } from "@messageoh/contracts/client";

export const call = createClient({ baseUrl: API_BASE });
