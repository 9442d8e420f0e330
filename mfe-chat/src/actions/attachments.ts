import { GENERIC_ERROR } from "@messageoh/contracts/errorTexts";
import type { ChosenFile } from "../outbox/chosenFile.ts";
import type { Store } from "../state/store.ts";
import { loadChooseFiles } from "../uploading/loadChooseFiles.ts";

const NONE: readonly ChosenFile[] = [];

export type AttachmentActions = ReturnType<typeof createAttachmentActions>;

/** Returns the actions that choose the files of the next message of a thread. */
export function createAttachmentActions(store: Store) {
  const chosenIn = (threadId: string) => store.get().chosen.get(threadId) ?? NONE;
  const show = (threadId: string, files: readonly ChosenFile[]) =>
    store.dispatch({ type: "filesChosen", threadId, files });
  const note = (threadId: string, text: string) => store.dispatch({ type: "noticeShown", threadId, text });

  return {
    /** Adds files to the next message of a thread. If one cannot be sent, none is added and a notice says why. */
    async choose(threadId: string, files: readonly File[]): Promise<void> {
      if (files.length === 0) return;
      const tray = {
        get: () => chosenIn(threadId),
        set: (chosen: readonly ChosenFile[]) => show(threadId, chosen),
        waiting: store.get().outbox.flatMap((entry) => entry.files ?? []),
        note: (text: string) => note(threadId, text),
      };
      try {
        (await loadChooseFiles()).chooseFiles(tray, files);
      } catch (error) {
        console.warn("The code for files could not be loaded", error);
        note(threadId, GENERIC_ERROR);
      }
    },
    /** Adds a file that can be sent to the next message of a thread. */
    add: (threadId: string, file: ChosenFile) => show(threadId, [...chosenIn(threadId), file]),
    remove: (threadId: string, key: string) =>
      show(
        threadId,
        chosenIn(threadId).filter((file) => file.key !== key),
      ),
    /** Removes the chosen files of a thread, for a message, and returns them. */
    take(threadId: string): readonly ChosenFile[] {
      const files = chosenIn(threadId);
      if (files.length > 0) show(threadId, NONE);
      return files;
    },
    /** Opens the recorder of voice messages in a thread, which takes no other files meanwhile. */
    startRecording: (threadId: string) => store.dispatch({ type: "recordingChanged", threadId }),
    stopRecording: () => store.dispatch({ type: "recordingChanged", threadId: null }),
  };
}
