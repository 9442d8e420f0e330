import { useEffect } from "react";
import { loadDelete, loadForward, loadReactions } from "../menu/dialogs.ts";
import { loadSelectionBar } from "../selection/loadSelectionBar.ts";

const WORK_OFFLINE = [loadDelete, loadForward, loadReactions, loadSelectionBar];

/**
 * Loads the code of what also works without a network, so that the service worker stores it.
 * @param isSettled the list is shown, so other code may be loaded
 */
export function useWarmUp(isSettled: boolean): void {
  useEffect(() => {
    if (!isSettled) return;
    // A failure shows when the user needs the code.
    for (const load of WORK_OFFLINE) load().catch(() => undefined);
  }, [isSettled]);
}
