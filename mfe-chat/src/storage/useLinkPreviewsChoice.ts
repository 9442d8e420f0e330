import { useStoredChoice } from "@messageoh/ui-kit/hooks/useStoredChoice";
import { useChatState } from "../useChat.ts";

/** Returns whether the user wants previews of links in this browser, and the function that changes it. */
export function useLinkPreviewsChoice() {
  const userId = useChatState((state) => state.me.id);
  const [choice, choose] = useStoredChoice(`messageoh:link-previews:${userId}`, ["off", "on"]);
  return [choice === "on", (isOn: boolean) => choose(isOn ? "on" : "off")] as const;
}
