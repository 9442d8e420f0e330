import { PASSWORD_TOO_SHORT } from "@messageoh/contracts/errorTexts";
import { isPasswordTooShort, PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordWeakness";
import { useDebouncedValue } from "@messageoh/ui-kit/hooks/useDebouncedValue";
import { useState } from "react";

interface ShortPassword {
  error: string | null;
  /** Call on every input; `error` follows after the debounce. */
  typed: (password: string) => void;
  /** Checks without the debounce, for a submit. Returns whether the password may be sent. */
  check: (password: string) => boolean;
}

/** Returns the error for a password that is too short, set 750 ms after typing stops and cleared by the next input. */
export function useShortPassword(): ShortPassword {
  // Every input is a new object, so that the same text restarts the delay.
  const [input, setInput] = useState({ password: "", isSubmitted: false });
  const settled = useDebouncedValue(input, PASSWORD_CHECK_MS);
  const isDue = input.isSubmitted || settled === input;

  return {
    error: isDue && isPasswordTooShort(input.password) ? PASSWORD_TOO_SHORT : null,
    typed: (password) => setInput({ password, isSubmitted: false }),
    check(password) {
      setInput({ password, isSubmitted: true });
      return !isPasswordTooShort(password);
    },
  };
}
