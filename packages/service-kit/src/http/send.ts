import { Agent, request } from "undici";

// Kept for less long than a service keeps an idle connection, so that no call goes into a closed one.
const agent = new Agent({ keepAliveTimeout: 60_000, connect: { timeout: 5_000 } });

export interface SendOptions {
  method: "GET" | "POST" | "PUT" | "DELETE";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** As much of `fetch` as calls between services need, over connections that are kept, at a fraction of its cost. */
export async function send(url: string, { method, headers, body, signal }: SendOptions) {
  const { statusCode, body: answer } = await request(url, { dispatcher: agent, method, headers, body, signal });
  return { ok: statusCode >= 200 && statusCode < 300, status: statusCode, json: () => answer.json() };
}
