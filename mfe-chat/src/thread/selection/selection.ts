/** Messages that can be selected at once. */
export const SELECTED_MAX = 100;

/** Stored messages of a thread that the user has selected. */
export interface Selection {
  /** Key of the message with which the selection began. */
  from: string;
  seqs: ReadonlySet<number>;
}

/** Returns the selection with or without some messages. Those above {@link SELECTED_MAX} are left out. */
export function withChosen(selection: Selection, seqs: readonly number[], isChosen: boolean): Selection {
  const chosen = new Set(selection.seqs);
  for (const seq of seqs) {
    if (!isChosen) chosen.delete(seq);
    else if (chosen.size < SELECTED_MAX) chosen.add(seq);
  }
  return { ...selection, seqs: chosen };
}
