import { useEffect, useState } from "react";
import { useChat } from "../../useChat.ts";

/**
 * Returns an address of the bytes that this browser uploads, or `null`. It is kept when the upload has ended, so that a
 * picture does not disappear until the server's one is loaded.
 * @param key key of the bytes in the file store
 */
export function useLocalUrl(key: string | undefined): string | null {
  const { files } = useChat();
  const [url, setUrl] = useState<string | null>(null);

  useEffect(() => {
    if (key === undefined) return;
    let isGone = false;
    void files.get(key).then((bytes) => {
      if (bytes && !isGone) setUrl((known) => known ?? URL.createObjectURL(bytes));
    });
    return () => {
      isGone = true;
    };
  }, [files, key]);

  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return url;
}
