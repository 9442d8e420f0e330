import { useEffect, useState } from "react";
import { releasesInUse } from "./loadPage.ts";
import { fetchPointer, inlinedPointer, parsePointer } from "./pointer.ts";

const CHECK_EVERY_MS = 5 * 60_000;

/**
 * Returns the names of the releases that a reload would load, or `null` if this page runs on the latest ones. Checks
 * when the page becomes visible, and periodically.
 */
export function useNewVersion(): string | null {
  const [version, setVersion] = useState<string | null>(null);

  useEffect(() => {
    // Ignore a failed check; the next one follows soon.
    const check = (): void => void findNewVersion().then(setVersion, () => undefined);
    const handleVisibility = (): void => {
      if (document.visibilityState === "visible") check();
    };
    const timer = setInterval(handleVisibility, CHECK_EVERY_MS);
    document.addEventListener("visibilitychange", handleVisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", handleVisibility);
    };
  }, []);
  return version;
}

async function findNewVersion(): Promise<string | null> {
  const remotes = [...releasesInUse()].map(async ([remote, used]) => {
    const live = parsePointer(remote, await fetchPointer(remote));
    return live && live.release !== used.release ? live.release : null;
  });
  const found = await Promise.all([findNewShell(), ...remotes]);
  return found.filter((release) => release !== null).join(" ") || null;
}

async function findNewShell(): Promise<string | null> {
  const used = shellRelease(inlinedPointer("shell"));
  const live = used && shellRelease(await fetchPointer("shell"));
  return live && live !== used ? live : null;
}

function shellRelease(text: string): string | null {
  try {
    return JSON.parse(text).release ?? null;
  } catch {
    return null;
  }
}
