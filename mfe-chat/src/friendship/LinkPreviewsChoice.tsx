import { ChoiceField } from "@messageoh/ui-kit/fields/ChoiceField";
import type { ReactElement } from "react";
import { useLinkPreviewsChoice } from "../storage/useLinkPreviewsChoice.ts";
import { useChatState } from "../useChat.ts";
import css from "./PrivacyDialog.module.css";

/** Renders the choice whether messages get previews of links, which is kept in this browser. */
export function LinkPreviewsChoice(): ReactElement {
  const [isOn, choose] = useLinkPreviewsChoice(useChatState((state) => state.me.id));
  return (
    <fieldset className={css.choices}>
      <legend className={css.heading}>Link previews</legend>
      <ChoiceField
        type="checkbox"
        label="Add previews to links that you send"
        checked={isOn}
        onChange={(event) => choose(event.target.checked)}
      />
      <p className={css.hint}>
        Your browser asks the server to open the page, so the site learns nothing of you or your friend.
      </p>
    </fieldset>
  );
}
