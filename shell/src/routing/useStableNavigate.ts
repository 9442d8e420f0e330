import type { Navigate } from "@messageoh/contracts/frontends";
import { useCallback, useInsertionEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";

/**
 * Returns the router's `navigate` with a stable identity, so that a remote may use it in effects.
 * @param state state of the new history entry
 */
export function useStableNavigate(state?: unknown): Navigate {
  const navigate = useNavigate();
  const latest = useRef({ navigate, state });
  useInsertionEffect(() => {
    latest.current = { navigate, state };
  });
  return useCallback((path, options) => {
    const { navigate, state } = latest.current;
    void navigate(path, { ...options, state });
  }, []);
}
