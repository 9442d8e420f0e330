import { errorText } from "@messageoh/contracts/errorText";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useChat } from "../useChat.ts";
import css from "./MyAccountDialog.module.css";

const FILE_NAME = "messageoh-data.json";

/** Renders the download of all data of the user, with its progress. */
export function DownloadSection(): ReactElement {
  const { download: downloadData } = useChat().api;
  /** Share that has arrived; `null` without a running download. */
  const [share, setShare] = useState<number | null>(null);
  const [isDone, setIsDone] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function handleDownload(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    setIsDone(false);
    setError(null);
    try {
      saveFile(await downloadData(setShare, controller.signal));
      setIsDone(true);
    } catch (failure) {
      if (!controller.signal.aborted) setError(errorText(failure));
    } finally {
      setShare(null);
    }
  }

  return (
    <section className={css.section} aria-label="Your data">
      <p className={css.explanation}>
        Your profile, friends, sessions and messages as a JSON file. Of threads with former friends, it contains the
        messages that you sent.
      </p>
      {share === null ? (
        <Button variant="secondary" onClick={() => void handleDownload()}>
          Download my data
        </Button>
      ) : (
        <div className={css.progress}>
          <progress aria-label="Download of your data" value={share} max={1} />
          <span>{Math.floor(share * 100)} %</span>
          <Button variant="secondary" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
      <p role="status" className={css.status}>
        {isDone ? `Saved as ${FILE_NAME}` : null}
      </p>
      <FormError>{error}</FormError>
    </section>
  );
}

function saveFile(data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = url;
  link.download = FILE_NAME;
  link.click();
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
