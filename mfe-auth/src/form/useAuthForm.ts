import { errorText } from "@messageoh/contracts/errorText";
import { MISSING_FIELDS } from "@messageoh/contracts/errorTexts";
import type { User } from "@messageoh/contracts/users";
import { useEffect, useRef, useState } from "react";
import { type Field, missingFields } from "./validation.ts";

interface AuthForm<Values> {
  values: Values;
  set: <Name extends keyof Values>(field: Name, value: Values[Name]) => void;
  isMissing: (field: Field) => boolean;
  /** Error line of the form: the missing-fields message or the server's error. */
  error: string | null;
  isBusy: boolean;
  /** Marks missing fields and sends a complete form. Returns the missing fields in form order. */
  submit: (isValid: boolean, send: (values: Values, signal: AbortSignal) => Promise<User>) => Field[];
}

/** Holds the state that login and registration share: values, marks that an edit clears, one request at a time. */
export function useAuthForm<Values extends { name: string; password: string }>(
  first: Values,
  onAuthenticated: (user: User) => void,
): AuthForm<Values> {
  const [values, setValues] = useState(first);
  const [missing, setMissing] = useState<readonly Field[]>([]);
  const [serverError, setServerError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const request = useRef<AbortController>(null);
  useEffect(() => () => request.current?.abort(), []);

  async function start(send: (values: Values, signal: AbortSignal) => Promise<User>): Promise<void> {
    const aborter = new AbortController();
    request.current = aborter;
    setIsBusy(true);
    try {
      const user = await send(values, aborter.signal);
      if (!aborter.signal.aborted) onAuthenticated(user);
    } catch (error) {
      if (!aborter.signal.aborted) setServerError(errorText(error));
    } finally {
      request.current = null;
      setIsBusy(false);
    }
  }

  return {
    values,
    isBusy,
    error: missing.length > 0 ? MISSING_FIELDS : serverError,
    isMissing: (field) => missing.includes(field),
    set(field, value) {
      setValues((current) => ({ ...current, [field]: value }));
      setMissing((current) => current.filter((other) => other !== field));
      setServerError(null);
    },
    submit(isValid, send) {
      // Ignore Enter while a request runs. A ref, because state updates too late for two events in one frame.
      if (request.current) return [];
      const found = missingFields(values);
      setMissing(found);
      setServerError(null);
      if (found.length === 0 && isValid) void start(send);
      return found;
    },
  };
}
