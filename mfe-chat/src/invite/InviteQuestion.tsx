import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useCallback, useEffect } from "react";
import { ConfirmAddFriendDialog } from "../add-friend/ConfirmAddFriendDialog.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import { useChat, useChatState } from "../useChat.ts";

export interface InviteQuestionProps {
  /** Token of the link that the user has opened. */
  token: string;
  onClose: () => void;
}

/**
 * Renders the question whether to add the user whose link was opened. Opens the thread of a friend without a question.
 */
export function InviteQuestion({ token, onClose }: InviteQuestionProps): ReactElement | null {
  const { api, openThread } = useChat();
  const find = useCallback(() => api.inviter(token), [api, token]);
  const { value: inviter, error } = useLoaded(find);
  const ownId = useChatState(({ me }) => me.id);
  const isReady = useChatState(({ status }) => status === "ready");
  const isFriend = useChatState(({ friends }) => inviter !== null && friends.has(inviter.id));

  useEffect(() => {
    if (!isReady || !isFriend || !inviter) return;
    openThread(inviter.id);
    onClose();
  }, [isReady, isFriend, inviter, openThread, onClose]);

  const isOwn = inviter?.id === ownId;
  if (inviter && isReady && !isOwn) {
    return isFriend ? null : <ConfirmAddFriendDialog user={inviter} onClose={onClose} onAdded={onClose} />;
  }
  return (
    <Dialog onClose={onClose} title="Add friend">
      {isOwn ? <p>This is your own link. Send it to a friend.</p> : error === null ? <Spinner /> : null}
      <FormError>{error}</FormError>
    </Dialog>
  );
}
