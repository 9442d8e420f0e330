import { errorText } from "@messageoh/contracts/errorText";
import { FRIEND_NOT_ADDED } from "@messageoh/contracts/errorTexts";
import type { User } from "@messageoh/contracts/users";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import type { ReactElement } from "react";
import { useSubmit } from "../requests/useSubmit.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { useChat } from "../useChat.ts";
import css from "./ConfirmAddFriendDialog.module.css";

export interface ConfirmAddFriendDialogProps {
  user: User;
  onClose: () => void;
  onAdded: () => void;
}

/**
 * Renders the confirmation before a friend is added, and the error if that fails. Opens the thread of the new friend.
 */
export function ConfirmAddFriendDialog({ user, onClose, onAdded }: ConfirmAddFriendDialogProps): ReactElement {
  const { friends, openThread } = useChat();
  const { isBusy, error, submit } = useSubmit((failure) => errorText(failure, FRIEND_NOT_ADDED));

  async function handleConfirm(): Promise<void> {
    if (!(await submit(() => friends.add(user)))) return;
    openThread(user.id);
    onAdded();
  }

  return (
    <ConfirmDialog
      title="Would you like to add this friend to your contact list?"
      confirm="Confirm"
      isHarmless
      isBusy={isBusy}
      onConfirm={() => void handleConfirm()}
      onClose={onClose}
    >
      <div className={css.person}>
        <Avatar avatarId={user.avatar_id} alt="" />
        <span className={css.name}>{user.name}</span>
      </div>
      <FormError className={css.error}>{error}</FormError>
    </ConfirmDialog>
  );
}
