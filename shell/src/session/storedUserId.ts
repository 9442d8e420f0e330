const KEY = "current-user-id";

// If the browser forbids storage, the session lasts until the page is closed.

/** Returns the user id of the last sign-in. It is a hint for the screens, not a proof of identity. */
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
    console.warn("The session could not be stored", error);
  }
}

/**
 * Calls the listener when another tab changes the id, and with the id of a page that the browser shows again after
 * Back, which gets no events before. Returns the function that unsubscribes.
 */
export function onStoredUserIdChange(listener: (id: string | null) => void): () => void {
  const handleStorage = (event: StorageEvent): void => {
    // `clear()` in another tab sends an event without a key.
    if (event.storageArea === localStorage && (event.key === KEY || event.key === null)) listener(readStoredUserId());
  };
  const handleShow = ({ persisted }: PageTransitionEvent): void => {
    const id = readStoredUserId();
    // Without an id, the storage may be forbidden: the server says whether the session has ended.
    if (persisted && id !== null) listener(id);
  };
  window.addEventListener("storage", handleStorage);
  window.addEventListener("pageshow", handleShow);
  return () => {
    window.removeEventListener("storage", handleStorage);
    window.removeEventListener("pageshow", handleShow);
  };
}
