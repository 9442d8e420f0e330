import { PASSWORD_TOO_SHORT } from "@messageoh/contracts/errorTexts";
import { PASSWORD_CHECK_MS } from "@messageoh/contracts/findPasswordWeakness";
import { useEffect, useMemo, useState } from "react";
import { isPasswordTooShort } from "../form/validation.ts";
import { debounce } from "./debounce.ts";

export interface ShortPassword {
  error: string | null;
  /** Call on every input; `error` follows after the debounce. */
  typed: (password: string) => void;
  /** Checks without the debounce, for a submit. Returns whether the password may be sent. */
  check: (password: string) => boolean;
}

/** Returns the error for a password that is too short, set 750 ms after typing stops and cleared by the next input. */
export function useShortPassword(): ShortPassword {
  const [error, setError] = useState<string | null>(null);
  const debounced = useMemo(
    () => debounce(PASSWORD_CHECK_MS, (password) => setError(isPasswordTooShort(password) ? PASSWORD_TOO_SHORT : null)),
    [],
  );
  useEffect(() => debounced.cancel, [debounced]);

  return {
    error,
    typed(password) {
      setError(null);
      debounced.update(password);
    },
    check(password) {
      debounced.cancel();
      const isTooShort = isPasswordTooShort(password);
      setError(isTooShort ? PASSWORD_TOO_SHORT : null);
      return !isTooShort;
    },
  };
}
