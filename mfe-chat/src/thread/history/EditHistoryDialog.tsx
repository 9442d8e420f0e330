import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useCallback } from "react";
import { RetryButton } from "../../requests/RetryButton.tsx";
import { useLoaded } from "../../requests/useLoaded.ts";
import list from "../../ui/borderedList.module.css";
import { useChat } from "../../useChat.ts";
import { MessageText } from "../text/MessageText.tsx";
import css from "./EditHistoryDialog.module.css";

export interface EditHistoryDialogProps {
  threadId: string;
  seq: number;
  onClose: () => void;
}

/** Renders all texts of a message with their times, oldest first. */
export function EditHistoryDialog({ threadId, seq, onClose }: EditHistoryDialogProps): ReactElement {
  const { listEdits } = useChat().api;
  const load = useCallback(() => listEdits(threadId, seq), [listEdits, threadId, seq]);
  const { value: edits, error, retry } = useLoaded(load);
  return (
    <Dialog onClose={onClose} title="Edit history" footer={error ? <RetryButton onClick={retry} /> : null}>
      {edits ? (
        <ol className={list.list}>
          {edits.map(({ text, at }) => (
            <li key={at} className={css.edit}>
              <time className={css.time} dateTime={at}>
                {new Date(at).toLocaleString()}
              </time>
              <div className={css.text} dir="auto">
                <MessageText text={text} />
              </div>
            </li>
          ))}
        </ol>
      ) : error ? null : (
        <Spinner />
      )}
      <FormError>{error}</FormError>
    </Dialog>
  );
}
