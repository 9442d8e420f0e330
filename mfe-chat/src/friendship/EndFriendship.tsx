import { viewOnDemand } from "../requests/viewOnDemand.tsx";

/** Renders the confirmation before a friendship ends. */
export const EndFriendship = viewOnDemand(async () => (await import("./EndFriendshipDialog.tsx")).EndFriendshipDialog);
