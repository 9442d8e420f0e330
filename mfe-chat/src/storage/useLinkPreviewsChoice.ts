import { useStoredChoice } from "@messageoh/ui-kit/hooks/useStoredChoice";

/** Returns whether a user wants previews of links in this browser, and the function that changes it. */
export function useLinkPreviewsChoice(userId: string) {
  const [choice, choose] = useStoredChoice(`messageoh:link-previews:${userId}`, ["off", "on"]);
  return [choice === "on", (isOn: boolean) => choose(isOn ? "on" : "off")] as const;
}
