import type { ChatState } from "../state/chatState.ts";

/** What a search asks. `null`: there is no network; the search starts when it is back. */
export type SearchSource = "device" | "server" | null;

/** Returns the source of a search for messages: the device while the chat shows only what it stores. */
export const messageSource = (state: ChatState): SearchSource => (state.isFromDevice ? "device" : serverSource(state));

/** Returns the source of a search for what the device does not store. */
export const serverSource = ({ connection }: ChatState): SearchSource => (connection === "offline" ? null : "server");
