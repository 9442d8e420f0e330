import type { Navigate } from "@messageoh/contracts/frontends";
import { useCallback, useInsertionEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";

/** The router's navigate as one function for the page's whole life, so that a remote may use it in effects. */
export function useStableNavigate(): Navigate {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  useInsertionEffect(() => {
    latest.current = navigate;
  });
  return useCallback((path, options) => void latest.current(path, options), []);
}
