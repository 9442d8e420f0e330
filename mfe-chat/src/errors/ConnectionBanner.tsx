import { Button } from "@messageoh/ui-kit/controls/Button";
import { Banner } from "@messageoh/ui-kit/feedback/Banner";
import { useDebouncedValue } from "@messageoh/ui-kit/hooks/useDebouncedValue";
import type { ReactElement } from "react";
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
export function ConnectionBanner(): ReactElement | null {
  const connection = useChatState((state) => state.connection);
  const { reconnect } = useChat().realtime;
  const reason = useChatState((state) => state.connectionReason);
  const isFromDevice = useChatState((state) => state.isFromDevice);
  const settled = useDebouncedValue(connection, PATIENCE_MS);
  const tryNow = (
    <Button variant="quiet" onClick={reconnect}>
      Try now
    </Button>
  );
  if (connection === "offline") {
    return <Banner tone="warning">{(isFromDevice ? DEVICE_TEXTS : TEXTS).offline}</Banner>;
  }
  if (isFromDevice) {
    return (
      <Banner tone="warning" action={tryNow}>
        {DEVICE_TEXTS.unreachable}
      </Banner>
    );
  }
  if (connection === "connected") return null;
  // Show a reason at once, because the user can act on it.
  if (reason !== null) return <Banner tone="warning">{reason}</Banner>;
  if (settled === "connected") return null;
  return (
    <Banner
      tone={connection === "connecting" ? "info" : "warning"}
      action={connection === "unreachable" ? tryNow : undefined}
    >
      {TEXTS[connection]}
    </Banner>
  );
}
