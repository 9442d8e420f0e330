import { Button } from "@messageoh/ui-kit/controls/Button";
import { Banner } from "@messageoh/ui-kit/feedback/Banner";
import { useDebouncedValue } from "@messageoh/ui-kit/hooks/useDebouncedValue";
import type { ReactElement } from "react";
import { useFocusLost } from "../keyboard/useFocusLost.ts";
import type { Connection } from "../state/chatState.ts";
import { useChat, useChatState } from "../useChat.ts";

const TEXTS: Record<Exclude<Connection, "connected">, string> = {
  offline: "You are offline. Messages will be sent when the connection is back.",
  connecting: "Reconnecting...",
  unreachable: "The server does not respond. Trying again every few seconds.",
  degraded: "Messages may arrive late at the moment.",
};

const DEVICE_TEXTS = {
  offline: "You are offline. This is what is stored on this device; messages will be sent when the connection is back.",
  unreachable: "The server does not respond. This is what is stored on this device.",
};

/** Shorter reconnections show no banner. */
const PATIENCE_MS = 1500;

/** Renders the state of the connection while messages are delayed. */
export function ConnectionBanner(): ReactElement {
  const connection = useChatState((state) => state.connection);
  const reason = useChatState((state) => state.connectionReason);
  const isFromDevice = useChatState((state) => state.isFromDevice);
  const settled = useDebouncedValue(connection, PATIENCE_MS);
  const { text, canRetry = false } = bannerOf({ connection, settled, reason, isFromDevice });
  return (
    <Banner tone={text === TEXTS.connecting ? "info" : "warning"} action={canRetry ? <TryNowButton /> : null}>
      {text}
    </Banner>
  );
}

interface Delay {
  connection: Connection;
  /** The connection without short changes. */
  settled: Connection;
  reason: string | null;
  isFromDevice: boolean;
}

function bannerOf({ connection, settled, reason, isFromDevice }: Delay): { text: string | null; canRetry?: boolean } {
  if (connection === "offline") return { text: (isFromDevice ? DEVICE_TEXTS : TEXTS).offline };
  if (isFromDevice) return { text: DEVICE_TEXTS.unreachable, canRetry: true };
  if (connection === "connected") return { text: null };
  // Show a reason at once, because the user can act on it.
  if (reason !== null) return { text: reason };
  if (settled === "connected") return { text: null };
  return { text: TEXTS[connection], canRetry: connection === "unreachable" };
}

function TryNowButton(): ReactElement {
  const { reconnect } = useChat().realtime;
  return (
    <Button ref={useFocusLost()} variant="quiet" onClick={reconnect}>
      Try now
    </Button>
  );
}
