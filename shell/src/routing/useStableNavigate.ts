import type { Navigate } from "@messageoh/contracts/frontends";
import { useCallback, useInsertionEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";

/**
 * The router's navigate as one function for the page's whole life, so that a remote may use it in effects.
 * @param state what the new history entry gets
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
