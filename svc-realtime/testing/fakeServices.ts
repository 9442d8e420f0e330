import { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
import type { ThreadMembers } from "@messageoh/contracts/users";
import { FakeMessages } from "./fakeMessages.ts";

export interface FakeServices {
  users: FakeUsers;
  messages: FakeMessages;
}

/** Creates the services that svc-realtime calls, with these threads. */
export const createFakeServices = (threads: readonly ThreadMembers[]): FakeServices => ({
  users: new FakeUsers(threads),
  messages: new FakeMessages(threads),
});
