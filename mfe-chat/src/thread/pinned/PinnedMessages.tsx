import { type ReactElement, useMemo } from "react";
import { useAttempts } from "../../requests/useAttempts.ts";
import { viewOnDemand } from "../../requests/viewOnDemand.tsx";
import { pinnedMessages } from "../../state/thread/pins.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { useChat, useChatState } from "../../useChat.ts";

const PinnedBar = viewOnDemand(async () => (await import("./PinnedBar.tsx")).PinnedBar);

export interface PinnedMessagesProps {
  thread: Thread;
  /** Whether the friend can still be written to. */
  canWrite: boolean;
  /** Called when the bar disappears with the focus in it. */
  onFocusLost: () => void;
}

/** Loads the pinned messages of a thread and renders the bar with them, if there are any. */
export function PinnedMessages({ thread, canWrite, onFocusLost }: PinnedMessagesProps): ReactElement | null {
  const { threadId, arePinsLoaded } = thread;
  const { loadPinned } = useChat().messages;
  const isConnected = useChatState(({ connection }) => connection === "connected");
  const pins = useMemo(() => pinnedMessages(thread), [thread]);

  useAttempts(() => loadPinned(threadId), !arePinsLoaded && isConnected, threadId);

  if (pins.length === 0) return null;
  return <PinnedBar pins={pins} canUnpin={canWrite} onFocusLost={onFocusLost} />;
}
