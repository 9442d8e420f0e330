import { viewOnDemand } from "../requests/viewOnDemand.tsx";

/** Renders the confirmation before a friendship ends. */
export const EndFriendship = viewOnDemand(() => import("./EndFriendshipDialog.tsx"), "EndFriendshipDialog");
