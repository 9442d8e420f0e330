const KEY = "current-user-id";

// A browser may forbid storage altogether; a visit then lasts as long as the page.

/** The id that the last sign-in left behind: a hint for the screens, never proof. */
export function readStoredUserId(): string | null {
  try {
    return localStorage.getItem(KEY) || null;
  } catch {
    return null;
  }
}

export function writeStoredUserId(id: string | null): void {
  try {
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, id);
  } catch (error) {
    console.warn("The session cannot be remembered", error);
  }
}

/** Tells of changes that other tabs make. */
export function onStoredUserIdChange(listener: (id: string | null) => void): () => void {
  const handleStorage = (event: StorageEvent): void => {
    // `clear()` in another tab comes without a key.
    if (event.storageArea === localStorage && (event.key === KEY || event.key === null)) listener(readStoredUserId());
  };
  window.addEventListener("storage", handleStorage);
  return () => window.removeEventListener("storage", handleStorage);
}
