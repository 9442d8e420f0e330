import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import { FakeUsers } from "@messageoh/contracts/testing/fakeUsers";
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
