import type { ClientToServerEvents, ServerToClientEvents } from "@messageoh/contracts/realtime";
import { register } from "@messageoh/contracts/users";
import { io, type Socket } from "socket.io-client";
import type { TestServices } from "./services.ts";

export type ChatSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

export interface TestAccount {
  id: string;
  cookie: string;
}

/** Registers a user under a new name. */
export async function registerAs(services: TestServices, name: string): Promise<TestAccount> {
  const response = await fetch(services.users[0] + register.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: `${name} ${Date.now()}`, password: "a password", avatar_id: "fox-id" }),
  });
  const { id } = (await response.json()) as { id: string };
  return { id, cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

/** Resolves with a socket of a user that is connected to the svc-realtime instance of this index. */
export async function connectTo(
  services: TestServices,
  instance: number,
  { cookie }: TestAccount,
): Promise<ChatSocket> {
  const socket: ChatSocket = io(services.realtime[instance] as string, { extraHeaders: { cookie }, forceNew: true });
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return socket;
}
