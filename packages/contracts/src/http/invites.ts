import * as v from "valibot";
import { id } from "../rules/fields.ts";
import { endpoint } from "./endpoint.ts";
import { user } from "./users.ts";

// A user's link leads everyone who opens it to the question whether to add that user. Adding has its own call and
// rules.

const userParams = v.object({ user_id: id });
const invite = v.object({ token: id });

/** Returns the token of the user's link, which stays the same until {@link renewInvite}. */
export const getInvite = endpoint({
  method: "GET",
  path: "/users/:user_id/invite",
  params: userParams,
  response: invite,
});

/** Replaces the user's link. The former one is not valid any more. */
export const renewInvite = endpoint({
  method: "POST",
  path: "/users/:user_id/invite",
  params: userParams,
  response: invite,
});

/** Returns the user whose link this is. 404 if it is not valid any more, 403 if the caller could not add that user. */
export const findInviter = endpoint({
  method: "GET",
  path: "/invites/:token",
  params: invite,
  response: user,
});
