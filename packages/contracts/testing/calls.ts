import * as changes from "../src/http/changes.ts";
import * as invites from "../src/http/invites.ts";
import * as media from "../src/http/media.ts";
import * as messages from "../src/http/messages.ts";
import * as push from "../src/http/push.ts";
import * as users from "../src/http/users.ts";
import * as internalMedia from "../src/internal/media.ts";
import * as internalMessages from "../src/internal/messages.ts";
import * as internalUsers from "../src/internal/users.ts";

/** The contracts of the calls of browsers, by the service that serves them. */
export const PUBLIC_CALLS = {
  "svc-users": { ...users, ...invites, ...push },
  "svc-messages": { ...messages, ...changes },
  "svc-media": media,
};

/** The contracts of the calls between services, by the service that serves them. */
export const INTERNAL_CALLS = {
  "svc-users": internalUsers,
  "svc-messages": internalMessages,
  "svc-media": internalMedia,
};
