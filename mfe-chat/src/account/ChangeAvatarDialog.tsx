import { AVATAR_IDS, type AvatarId } from "@messageoh/contracts/avatars";
import { errorText } from "@messageoh/contracts/errorText";
import { Avatar } from "@messageoh/ui-kit/avatars/Avatar";
import { AvatarPicker } from "@messageoh/ui-kit/avatars/AvatarPicker";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useState } from "react";
import { useCover } from "../errors/useCover.ts";
import { useSubmit } from "../requests/useSubmit.ts";
import { useChat, useChatState } from "../useChat.ts";
import css from "./ChangeAvatarDialog.module.css";

/** Renders a full-screen dialog to choose a new avatar; it stays open until the avatar is saved. */
export function ChangeAvatarDialog({ onClose }: { onClose: () => void }): ReactElement {
  useCover();
  const currentId = useChatState((state) => state.me.avatar_id);
  const { changeAvatar } = useChat().account;
  const [chosen, setChosen] = useState<AvatarId | null>(() => AVATAR_IDS.find((id) => id === currentId) ?? null);
  const [isMissing, setIsMissing] = useState(false);
  const { isBusy, error, setError, submit } = useSubmit((failure) => {
    console.error("The avatar could not be saved", failure);
    return errorText(failure);
  });

  function handleChange(id: AvatarId): void {
    setChosen(id);
    setIsMissing(false);
    setError(null);
  }

  async function handleSave(): Promise<void> {
    setIsMissing(chosen === null);
    if (chosen !== null && (await submit(() => changeAvatar(chosen)))) onClose();
  }

  return (
    <Dialog
      fills="fullScreen"
      onClose={onClose}
      title="Change avatar"
      isTitleHidden
      footer={
        <Button isBusy={isBusy} onClick={() => void handleSave()}>
          Save
        </Button>
      }
    >
      {chosen ? <Avatar key={chosen} avatarId={chosen} alt="" size="large" className={css.preview} /> : null}
      <AvatarPicker
        title="Choose your new avatar"
        headingLevel={3}
        value={chosen}
        onChange={handleChange}
        isMissing={isMissing}
        error={error}
      />
    </Dialog>
  );
}
