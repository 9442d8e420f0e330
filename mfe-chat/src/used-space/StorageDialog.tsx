import { getUsedSpace, type UsedSpace } from "@messageoh/contracts/media";
import { Spinner } from "@messageoh/ui-kit/feedback/Spinner";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { Dialog } from "@messageoh/ui-kit/overlays/Dialog";
import { type ReactElement, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { RetryButton } from "../requests/RetryButton.tsx";
import { useLoaded } from "../requests/useLoaded.ts";
import list from "../ui/borderedList.module.css";
import { fileSize } from "../ui/fileSize.ts";
import row from "../ui/row.module.css";
import { useChat, useChatState } from "../useChat.ts";
import { DeleteFileDialog } from "./DeleteFileDialog.tsx";
import { FriendSpace } from "./FriendSpace.tsx";
import { LargestFile } from "./LargestFile.tsx";
import css from "./StorageDialog.module.css";

type Largest = UsedSpace["largest"][number];

/** Renders how much space the user's files take up, by friend, and the largest ones, which can be deleted. */
export function StorageDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { api, changes } = useChat();
  const myId = useChatState(({ me }) => me.id);
  const load = useCallback(() => api.call(getUsedSpace, { params: { user_id: myId } }), [api, myId]);
  const { value: used, setValue: setUsed, error, retry } = useLoaded(load);
  const [asked, setAsked] = useState<Largest | null>(null);
  const [status, setStatus] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const total = used?.threads.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;

  function deleteMessage({ thread_id, seq }: Largest): void {
    // The heading can take the focus only when the question is gone, and while the button that asked it is still there.
    flushSync(() => setAsked(null));
    heading.current?.focus();
    changes.deleteForBoth(thread_id, seq);
    const isOther = (file: Largest) => file.thread_id !== thread_id || file.seq !== seq;
    setUsed((current) => current && { ...current, largest: current.largest.filter(isOther) });
    setStatus("Deleted. Its space is free within a day.");
  }

  return (
    <Dialog onClose={onClose} title="Storage">
      {used ? (
        <>
          <p className={css.total}>
            {total === 0 ? "You have not sent any files." : `The files that you have sent take up ${fileSize(total)}.`}
          </p>
          {used.threads.length > 0 ? (
            <section aria-label="By friend">
              <h3 className={css.heading}>By friend</h3>
              <ul className={list.list}>
                {used.threads.map((thread) => (
                  <FriendSpace key={thread.thread_id} thread={thread} total={total} />
                ))}
              </ul>
            </section>
          ) : null}
          {used.largest.length > 0 || status !== "" ? (
            <section aria-label="Largest files">
              <h3 ref={heading} tabIndex={-1} className={css.heading}>
                Largest files
              </h3>
              <ul className={list.list}>
                {used.largest.map((file) => (
                  <LargestFile key={file.attachment.id} file={file} onDelete={() => setAsked(file)} />
                ))}
              </ul>
            </section>
          ) : null}
        </>
      ) : error ? (
        <div className={row.more}>
          <FormError>{error}</FormError>
          <RetryButton onClick={retry} />
        </div>
      ) : (
        <Spinner />
      )}
      <p role="status" className={css.status}>
        {status}
      </p>
      {asked ? (
        <DeleteFileDialog file={asked} onDelete={() => deleteMessage(asked)} onCancel={() => setAsked(null)} />
      ) : null}
    </Dialog>
  );
}
