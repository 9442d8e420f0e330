import type { ThreadMembers } from "@messageoh/contracts/users";
import { FakeMessages } from "./fakeMessages.ts";
import { FakeUsers } from "./fakeUsers.ts";

export interface FakeServices {
  users: FakeUsers;
  messages: FakeMessages;
}

/** Creates the services that svc-realtime calls, with these threads. */
export const createFakeServices = (threads: readonly ThreadMembers[]): FakeServices => ({
  users: new FakeUsers(threads),
  messages: new FakeMessages(threads),
});
