import { errorText } from "@messageoh/contracts/errorText";
import { MISSING_FIELDS } from "@messageoh/contracts/errorTexts";
import type { User } from "@messageoh/contracts/users";
import { useEffect, useRef, useState } from "react";
import { type Field, missingFields } from "./validation.ts";

export interface AuthForm<Values> {
  values: Values;
  set: <Name extends keyof Values>(field: Name, value: Values[Name]) => void;
  isMissing: (field: Field) => boolean;
  /** The line of the form: fields are missing, or what the server said. */
  error: string | null;
  isBusy: boolean;
  /** Marks what is missing, sends what is complete. Answers the missing fields, in the order of the form. */
  submit: (isValid: boolean, send: (values: Values, signal: AbortSignal) => Promise<User>) => Field[];
}

/** What login and registration have in common: values, marks that an edit clears, one request at a time. */
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
      // Enter on a busy form is not a second registration. State would be too late for two events in one frame.
      if (request.current) return [];
      const found = missingFields(values);
      setMissing(found);
      setServerError(null);
      if (found.length === 0 && isValid) void start(send);
      return found;
    },
  };
}
