import { viewOnDemand } from "../../requests/viewOnDemand.tsx";

// What the menu of a message opens and what works without a network.
export const DeleteMessageDialog = viewOnDemand(() => import("./DeleteMessageDialog.tsx"), "DeleteMessageDialog");
export const ForwardDialog = viewOnDemand(() => import("../forward/ForwardDialog.tsx"), "ForwardDialog");
export const PictureViewer = viewOnDemand(() => import("../viewer/PictureViewer.tsx"), "PictureViewer");
export const ReactionBar = viewOnDemand(() => import("../reactions/ReactionBar.tsx"), "ReactionBar");
