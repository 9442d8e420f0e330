import type { Prepared } from "../attachments/prepare.ts";
import { type ChosenFile, refusalOf, shownName, unreadable } from "../outbox/chosenFile.ts";
import { newClientId } from "../outbox/clientId.ts";
import type { Store } from "../state/store.ts";

const NONE: readonly ChosenFile[] = [];

export interface AttachmentActionsOptions {
  store: Store;
  /** Makes a picture smaller; resolves with the same content for other files. */
  prepare?: (file: File) => Promise<Prepared>;
}

/** Loaded with the first file. */
const prepareInBrowser = async (file: File) => (await import("../attachments/prepare.ts")).prepare(file);

/** Returns the actions that choose the files of the next message of a thread. */
export function createAttachmentActions({ store, prepare = prepareInBrowser }: AttachmentActionsOptions) {
  const chosenIn = (threadId: string) => store.get().chosen.get(threadId) ?? NONE;
  const show = (threadId: string, files: readonly ChosenFile[]) =>
    store.dispatch({ type: "filesChosen", threadId, files });
  const note = (threadId: string, text: string) => store.dispatch({ type: "noticeShown", threadId, text });
  /** Ends when the file can be sent or was removed, by key. */
  const preparing = new Map<string, Promise<void>>();

  const remove = (threadId: string, key: string) =>
    show(
      threadId,
      chosenIn(threadId).filter((file) => file.key !== key),
    );

  async function prepared(threadId: string, key: string, file: File): Promise<void> {
    try {
      // The file may be a folder, or be deleted by now.
      await file.slice(0, 1).arrayBuffer();
    } catch (error) {
      console.warn("A chosen file could not be read", error);
      remove(threadId, key);
      note(threadId, unreadable(file.name));
      return;
    }
    const ready = await prepare(file).catch((error: unknown) => {
      console.warn("A picture is sent as it is", error);
      return {};
    });
    const change = (chosen: ChosenFile) => (chosen.key === key ? { ...chosen, ...ready, isPreparing: false } : chosen);
    show(threadId, chosenIn(threadId).map(change));
  }

  return {
    /** Adds files to the next message of a thread. If one cannot be sent, none is added and a notice says why. */
    choose(threadId: string, files: readonly File[]): void {
      if (files.length === 0) return;
      const chosen = chosenIn(threadId);
      const refusal = refusalOf(files, chosen, store.get().outbox);
      if (refusal !== null) {
        note(threadId, refusal);
        return;
      }
      const added = files.map((file): { file: File; entry: ChosenFile } => {
        const { name, size: bytes, type } = file;
        const entry = { key: newClientId(), name: shownName(name), bytes, type, content: file, isPreparing: true };
        return { file, entry };
      });
      show(threadId, [...chosen, ...added.map(({ entry }) => entry)]);
      for (const { file, entry } of added) {
        const work = prepared(threadId, entry.key, file).finally(() => preparing.delete(entry.key));
        preparing.set(entry.key, work);
      }
    },
    remove,
    /** Resolves with the chosen files of a thread when they can be sent, and removes them there. */
    async take(threadId: string): Promise<readonly ChosenFile[]> {
      await Promise.all(chosenIn(threadId).map(({ key }) => preparing.get(key)));
      const files = chosenIn(threadId);
      show(threadId, NONE);
      return files;
    },
    /** Shows a notice in the thread. */
    note,
  };
}

export type AttachmentActions = ReturnType<typeof createAttachmentActions>;
