import type { ReactElement } from "react";
import { OnDemand } from "../requests/OnDemand.tsx";
import type { EndFriendshipDialogProps } from "./EndFriendshipDialog.tsx";

const loadDialog = () => import("./EndFriendshipDialog.tsx");

/** Renders the confirmation before a friendship ends. */
export const EndFriendship = (props: EndFriendshipDialogProps): ReactElement => (
  <OnDemand load={loadDialog} onClose={props.onCancel}>
    {({ EndFriendshipDialog }) => <EndFriendshipDialog {...props} />}
  </OnDemand>
);
