import type { Friend } from "@messageoh/contracts/users";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import type { ReactElement } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { useChat } from "../useChat.ts";
import css from "./EndFriendshipDialog.module.css";

export type Ending = "unfriend" | "block";

const VERBS: Record<Ending, string> = { unfriend: "Unfriend", block: "Block" };

export interface EndFriendshipDialogProps {
  friend: Friend;
  how: Ending;
  onClose: () => void;
}

/** Renders the confirmation before a friendship ends, and the error if that fails. */
export function EndFriendshipDialog({ friend, how, onClose }: EndFriendshipDialogProps): ReactElement {
  const { end: endFriendship } = useChat().friends;
  const { isBusy, error, submit } = useSubmit();

  return (
    <ConfirmDialog
      title={`${VERBS[how]} ${friend.name}?`}
      confirm={VERBS[how]}
      isBusy={isBusy}
      onConfirm={() => void submit(() => endFriendship(friend.id, how))}
      onClose={onClose}
    >
      <p className={css.text}>
        You will no longer be friends, and this thread will disappear from both of your lists. Your messages are kept
        and come back if you become friends again.
      </p>
      {how === "block" ? (
        <p className={css.text}>
          {friend.name} cannot find you, add you or write to you until you unblock them. They are not told.
        </p>
      ) : null}
      <FormError className={css.error}>{error}</FormError>
    </ConfirmDialog>
  );
}
