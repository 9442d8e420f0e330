import { loadErrorText } from "@messageoh/contracts/errorText";
import type { User } from "@messageoh/contracts/users";
import { useEffect, useState } from "react";
import { useChatSelector } from "../view/useChatSelector.ts";

export interface AddableUsers {
  /** Null until the first answer. */
  users: readonly User[] | null;
  /** What the shown users were searched with. */
  searchedText: string;
  /** What the screen says when they could not be loaded. */
  failure: string | null;
  retry: () => void;
}

/** Those whom one may add and whose username fits the text. */
export function useAddableUsers(text: string): AddableUsers {
  const searchUsers = useChatSelector((chat) => chat.searchUsers);
  const [result, setResult] = useState<Omit<AddableUsers, "retry">>({
    users: null,
    searchedText: "",
    failure: null,
  });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt searches again
  useEffect(() => {
    const abort = new AbortController();
    searchUsers(text, abort.signal).then(
      (users) => {
        if (!abort.signal.aborted) setResult({ users, searchedText: text, failure: null });
      },
      (error) => {
        if (!abort.signal.aborted) setResult({ users: null, searchedText: text, failure: loadErrorText(error) });
      },
    );
    return () => abort.abort();
  }, [searchUsers, text, attempt]);

  function retry(): void {
    setResult({ ...result, failure: null });
    setAttempt(attempt + 1);
  }

  return { ...result, retry };
}
