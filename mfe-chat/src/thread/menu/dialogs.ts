import { viewOnDemand } from "../../requests/viewOnDemand.tsx";

// What the menu of a message opens and what works without a network.
export const DeleteMessageDialog = viewOnDemand(
  async () => (await import("./DeleteMessageDialog.tsx")).DeleteMessageDialog,
);
export const ForwardDialog = viewOnDemand(async () => (await import("../forward/ForwardDialog.tsx")).ForwardDialog);
export const ReactionBar = viewOnDemand(async () => (await import("../reactions/ReactionBar.tsx")).ReactionBar);
