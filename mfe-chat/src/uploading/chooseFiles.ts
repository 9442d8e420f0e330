import type { ChosenFile } from "../outbox/chosenFile.ts";
import { newClientId } from "../outbox/clientId.ts";
import type { Prepared } from "./prepare.ts";
import { prepareOnce } from "./prepareOnce.ts";
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
export function chooseFiles(tray: Tray, files: readonly File[], prepare?: (file: Blob) => Promise<Prepared>): void {
  const refusal = refusalOf(files, tray.get(), tray.waiting);
  if (refusal !== null) {
    tray.note(refusal);
    return;
  }
  const added = files.map((file): ChosenFile => {
    const { name, size: bytes, type } = file;
    const entry = { key: newClientId(), name: shownName(name), bytes, type, content: file };
    // Not before the file is in the tray.
    return { ...entry, preparing: Promise.resolve().then(() => prepared(entry)) };
  });
  tray.set([...tray.get(), ...added]);

  async function prepared(entry: Omit<ChosenFile, "preparing">): Promise<void> {
    const ready = await prepareOnce(entry.content, entry.name, prepare).catch((error: unknown) => {
      console.warn("A chosen file could not be read", error);
      return null;
    });
    const isSame = ({ key }: ChosenFile) => key === entry.key;
    // A message that was sent meanwhile prepares its files.
    if (!tray.get().some(isSame)) return;
    const replaced = ready ? [{ ...entry, ...ready, preparing: null }] : [];
    tray.set(tray.get().flatMap((chosen) => (isSame(chosen) ? replaced : [chosen])));
    if (!ready) tray.note(unreadable(entry.name));
  }
}
