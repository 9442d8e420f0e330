import { errorText } from "@messageoh/contracts/errorText";
import { Button } from "@messageoh/ui-kit/controls/Button";
import { FormError } from "@messageoh/ui-kit/fields/FormError";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import type { DownloadOptions } from "../fetching/downloadData.ts";
import { useChat } from "../useChat.ts";
import css from "./MyAccountDialog.module.css";

export interface DownloadProps {
  load: (options: DownloadOptions) => Promise<Blob>;
  fileName: string;
  /** Text of the button. */
  label: string;
  /** Name of the progress bar. */
  progress: string;
  /** What the file contains. */
  children: ReactNode;
}

/** Renders the download of a file that the server composes, with its progress. */
export function Download({ load, fileName, label, progress, children }: DownloadProps): ReactElement {
  const { download } = useChat().api;
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
      saveFile(await download(load, { onProgress: setShare, signal: controller.signal }), fileName);
      setIsDone(true);
    } catch (failure) {
      if (!controller.signal.aborted) setError(errorText(failure));
    } finally {
      setShare(null);
    }
  }

  return (
    <>
      <p className={css.explanation}>{children}</p>
      <div className={share === null ? undefined : css.progress}>
        {share === null ? null : (
          <>
            <progress aria-label={progress} value={share} max={1} />
            <span>{Math.floor(share * 100)} %</span>
          </>
        )}
        {/* One button for both, which keeps the focus. */}
        <Button variant="secondary" onClick={() => (share === null ? void handleDownload() : running.current?.abort())}>
          {share === null ? label : "Cancel"}
        </Button>
      </div>
      <p role="status" className={css.status}>
        {isDone ? `Saved as ${fileName}` : null}
      </p>
      <FormError>{error}</FormError>
    </>
  );
}

function saveFile(data: Blob, fileName: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
