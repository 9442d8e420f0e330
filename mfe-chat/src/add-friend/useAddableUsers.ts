import type { User } from "@messageoh/contracts/users";
import { useEffect, useState } from "react";
import { useChatSelector } from "../state/ChatProvider.tsx";

export interface AddableUsers {
  /** Null until the first answer. */
  users: readonly User[] | null;
  /** What the shown users were searched with. */
  searchedText: string;
  hasFailed: boolean;
  retry: () => void;
}

/** Those whom one may add and whose username fits the text. */
export function useAddableUsers(text: string): AddableUsers {
  const searchUsers = useChatSelector((chat) => chat.searchUsers);
  const [result, setResult] = useState<Omit<AddableUsers, "retry">>({
    users: null,
    searchedText: "",
    hasFailed: false,
  });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt searches again
  useEffect(() => {
    const abort = new AbortController();
    searchUsers(text, abort.signal).then(
      (users) => {
        if (!abort.signal.aborted) setResult({ users, searchedText: text, hasFailed: false });
      },
      () => {
        if (!abort.signal.aborted) setResult({ users: null, searchedText: text, hasFailed: true });
      },
    );
    return () => abort.abort();
  }, [searchUsers, text, attempt]);

  function retry(): void {
    setResult({ ...result, hasFailed: false });
    setAttempt(attempt + 1);
  }

  return { ...result, retry };
}
