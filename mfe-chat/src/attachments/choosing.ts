import type { ChosenFile } from "../outbox/chosenFile.ts";
import { newClientId } from "../outbox/clientId.ts";
import { type Prepared, prepare as prepareFile } from "./prepare.ts";
import { refusalOf, shownName, unreadable } from "./refusals.ts";

export interface Tray {
  /** The files that are chosen at this moment. */
  get: () => readonly ChosenFile[];
  set: (files: readonly ChosenFile[]) => void;
  /** Files of unsent messages. */
  waiting: readonly { bytes: number }[];
  /** Tells the user why a file was not chosen. */
  note: (text: string) => void;
}

/**
 * Adds files to a tray and makes pictures smaller. If one cannot be sent, none is added.
 * @param prepare replaced by tests
 */
export function chooseFiles(
  tray: Tray,
  files: readonly File[],
  prepare: (file: Blob, name: string) => Promise<Prepared> = prepareFile,
): void {
  const refusal = refusalOf(files, tray.get(), tray.waiting);
  if (refusal !== null) {
    tray.note(refusal);
    return;
  }
  const added = files.map((file): ChosenFile => {
    const { name, size: bytes, type } = file;
    const entry = { key: newClientId(), name: shownName(name), bytes, type, content: file };
    // Not before the file is in the tray.
    return { ...entry, preparing: Promise.resolve().then(() => prepared(entry, file)) };
  });
  tray.set([...tray.get(), ...added]);

  async function prepared(entry: Omit<ChosenFile, "preparing">, file: File): Promise<ChosenFile | null> {
    const isSame = ({ key }: ChosenFile) => key === entry.key;
    try {
      // It may be a folder, or be deleted by now.
      await file.slice(0, 1).arrayBuffer();
    } catch (error) {
      console.warn("A chosen file could not be read", error);
      tray.set(tray.get().filter((chosen) => !isSame(chosen)));
      tray.note(unreadable(file.name));
      return null;
    }
    const changes = await prepare(file, file.name).catch((error: unknown): Prepared => {
      console.warn("A picture is sent as it is", error);
      return {};
    });
    const ready = { ...entry, ...changes, preparing: null };
    tray.set(tray.get().map((chosen) => (isSame(chosen) ? ready : chosen)));
    return ready;
  }
}
