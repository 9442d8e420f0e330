// The code of what the menu of a message opens and what works without a network.
export const loadDelete = () => import("./DeleteMessageDialog.tsx");
export const loadForward = () => import("../forward/ForwardDialog.tsx");
export const loadReactions = () => import("../reactions/ReactionBar.tsx");
