import { type ReactElement, useMemo } from "react";
import { onDemand, useCode } from "../../requests/onDemand.ts";
import { useAttempts } from "../../requests/useAttempts.ts";
import { pinnedMessages } from "../../state/thread/pins.ts";
import type { Thread } from "../../state/thread/thread.ts";
import { useChat, useChatState } from "../../useChat.ts";

const barCode = onDemand(() => import("./PinnedBar.tsx"), "Pinned messages");

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
  const bar = useCode(barCode, pins.length > 0);

  useAttempts(() => loadPinned(threadId), !arePinsLoaded && isConnected, threadId);

  return bar && <bar.PinnedBar pins={pins} canUnpin={canWrite} onFocusLost={onFocusLost} />;
}
