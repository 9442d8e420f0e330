import { lengthLabel, VOICE_MAX_SECONDS } from "@messageoh/contracts/attachments";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { VisuallyHidden } from "@messageoh/ui-kit/basics/VisuallyHidden";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useState } from "react";
import { onEscape } from "../../keyboard/onEscape.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import css from "./Recorder.module.css";
import { useRecorder } from "./useRecorder.ts";
import { Wave } from "./Wave.tsx";

/** Number of levels in view. */
const SHOWN_LEVELS = 48;
/** A shorter recording is thrown away without a question. */
const ASKED_FROM_SECONDS = 1;

export interface RecorderProps {
  threadId: string;
  onClose: () => void;
}

/** Renders the recorder of a voice message over the composer. It begins to record at once. */
export function Recorder({ threadId, onClose }: RecorderProps): ReactElement {
  const { recording, send, discard } = useRecorder(threadId, onClose);
  const [isAsking, setIsAsking] = useState(false);
  const seconds = recording?.seconds() ?? 0;
  const isPaused = recording?.isPaused() ?? false;
  const isOver = recording?.isOver() ?? false;

  function cancel(): void {
    recording?.pause();
    if (seconds < ASKED_FROM_SECONDS) discard();
    else setIsAsking(true);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and no roles of its own for layout
    <div role="group" aria-label="Voice message" className={css.recorder} onKeyDown={onEscape(cancel)}>
      <IconButton icon={icons.trash} aria-label="Cancel" autoFocus={recording === null} onClick={cancel} />
      <span role="timer" aria-label="Length" className={css.time} data-recording={!isPaused && recording !== null}>
        {lengthLabel(seconds)}
      </span>
      <div className={css.levels}>
        {recording === null ? (
          <span className={css.note}>Waiting for the microphone...</span>
        ) : (
          <Wave bars={latest(recording.levels)} />
        )}
      </div>
      <VisuallyHidden role="status">{statusOf({ isRecording: recording !== null, isPaused, isOver })}</VisuallyHidden>
      {recording === null ? null : (
        <>
          <IconButton
            icon={isPaused ? icons.microphone : icons.pause}
            aria-label={isPaused ? "Go on recording" : "Pause"}
            autoFocus
            disabled={isOver}
            onClick={isPaused ? recording.resume : recording.pause}
          />
          <IconButton icon={icons.send} aria-label="Send voice message" tone="accent" onClick={send} />
        </>
      )}
      {isAsking ? (
        <ConfirmDialog
          title="Discard this voice message?"
          confirm="Discard"
          cancel="Keep"
          onConfirm={discard}
          onClose={() => setIsAsking(false)}
        >
          <p>It is {lengthLabel(seconds)} long and was not sent.</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** Returns the newest levels, the last one at the end. Speech is seldom louder than a fifth of the possible. */
const latest = (levels: readonly number[]): number[] =>
  [...Array<number>(SHOWN_LEVELS).fill(0), ...levels].slice(-SHOWN_LEVELS).map(Math.sqrt);

function statusOf({ isRecording, isPaused, isOver }: Record<"isRecording" | "isPaused" | "isOver", boolean>): string {
  if (isOver) return `The recording has ended. A voice message has at most ${VOICE_MAX_SECONDS / 60} minutes.`;
  if (isPaused) return "Paused";
  return isRecording ? "Recording" : "";
}
