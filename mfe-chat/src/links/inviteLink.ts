/** Returns the address that leads everyone who opens it to the question whether to add the user of the token. */
export const inviteLink = (token: string, origin: string): string =>
  `${origin}/home?${new URLSearchParams({ invite: token })}`;

/** Returns the token in the query of an address, or `null`. */
export const invitedBy = (search: string): string | null => new URLSearchParams(search).get("invite");
