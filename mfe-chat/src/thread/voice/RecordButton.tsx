import * as icons from "@messageoh/ui-kit/basics/icons";
import { IconButton } from "@messageoh/ui-kit/controls/IconButton";
import { type ReactElement, useEffect, useRef } from "react";
import { recordedType } from "./recordedType.ts";

export interface RecordButtonProps {
  isRecording: boolean;
  onStart: () => void;
}

const canRecord = (): boolean => recordedType() !== undefined && navigator.mediaDevices !== undefined;

/**
 * Renders the button that records a voice message, if the browser can. It gets the focus when the recorder is closed.
 */
export function RecordButton({ isRecording, onStart }: RecordButtonProps): ReactElement | null {
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(isRecording);
  useEffect(() => {
    if (wasRecording.current && !isRecording) button.current?.focus({ preventScroll: true });
    wasRecording.current = isRecording;
  }, [isRecording]);
  if (!canRecord()) return null;
  return <IconButton ref={button} icon={icons.microphone} aria-label="Record a voice message" onClick={onStart} />;
}
