import { useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import type { ChosenFile } from "../../outbox/chosenFile.ts";
import { newClientId } from "../../outbox/clientId.ts";
import { useChat } from "../../useChat.ts";
import { type Recorded, type Recording, startRecording } from "./recording.ts";

/** A shorter recording is thrown away when its thread is left. */
const KEPT_FROM_SECONDS = 1;

const NOTHING_RECORDED = "Nothing was recorded. Please try again.";
const NO_MICROPHONE = "The microphone could not be used.";
const REFUSALS: Record<string, string> = {
  NotAllowedError: "The microphone is blocked. Allow it for this site in the settings of the browser.",
  NotFoundError: "No microphone was found.",
  // WebKit's for NotFoundError.
  OverconstrainedError: "No microphone was found.",
  NotReadableError: "Another program uses the microphone.",
};

/** Records from the first render on. What was recorded when the thread is left waits there among the chosen files. */
export function useRecorder(threadId: string, onClose: () => void) {
  const { attachments, messages, showNotice } = useChat();
  const [recording, setRecording] = useState<Recording | null>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  /** What to do with the recording when the recorder disappears. */
  const ending = useRef<(recorded: Recorded) => void>(null);
  const end = useEffectEvent((begunIn: string, recorded: Recorded) => {
    if (ending.current) ending.current(recorded);
    else if (recorded.seconds >= KEPT_FROM_SECONDS) choose(begunIn, recorded);
  });
  const refuse = useEffectEvent((text: string) => {
    showNotice(threadId, text);
    onClose();
  });

  useEffect(() => {
    let isGone = false;
    const started = startRecording(() => !isGone && render());
    started.then(
      (begun) => !isGone && setRecording(begun),
      (error: unknown) => {
        console.warn("The microphone cannot be used", error);
        if (!isGone) refuse(REFUSALS[(error as Error).name] ?? NO_MICROPHONE);
      },
    );
    return () => {
      isGone = true;
      started.then(async (begun) => end(threadId, await begun.finish())).catch(() => undefined);
    };
  }, [threadId]);

  /** Puts a recording among the chosen files. Returns false if it is empty. */
  function choose(begunIn: string, recorded: Recorded): boolean {
    if (recorded.content.size === 0) {
      showNotice(begunIn, NOTHING_RECORDED);
      return false;
    }
    attachments.add(begunIn, fileOf(recorded));
    return true;
  }

  function endWith(act: (recorded: Recorded) => void): void {
    ending.current = act;
    onClose();
  }

  return {
    /** Null until the user allows the microphone. */
    recording,
    send: () =>
      endWith((recorded) => {
        if (choose(threadId, recorded)) messages.sendFiles(threadId);
      }),
    discard: () => endWith(() => undefined),
  };
}

function fileOf({ content, type, seconds, wave }: Recorded): ChosenFile {
  const time = new Date().toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  const name = `Voice message ${time}.${type.split("/")[1]}`;
  return { key: newClientId(), name, bytes: content.size, type, content, seconds, wave, preparing: null };
}
