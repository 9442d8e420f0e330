import type { User } from "@messageoh/contracts/users";
import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { ChatPage } from "../src/ChatPage.tsx";
import type { ChatEnvironment } from "../src/createChat.ts";
import { createChatApi } from "../src/fetching/chatApi.ts";
import type { StoredChat } from "../src/offline/storedChat.ts";
import type { UploadFile } from "../src/outbox/uploads.ts";
import type { PageListeners } from "../src/realtime/pageLifecycle.ts";
import type { SocketListeners } from "../src/realtime/socket/socket.ts";
import { VIEW_INTERVAL_MS } from "../src/state/store.ts";
import { aLinkPreview, anAttachment, fromMe, ME } from "./builders.ts";

const MINUTE_MS = 60_000;

interface SentMessage {
  text?: string;
  client_id?: string;
  attachments?: string[];
  preview?: string;
}

interface RenderOptions {
  path?: string;
  lastSeq?: number;
  /** Query and fragment of the address. */
  search?: string;
  hash?: string;
  /** Whether the tab is visible; it always is by default. */
  isVisible?: () => boolean;
  /** What the device stores. The server has not confirmed the user then. */
  stored?: StoredChat;
  /** The server of uploads. */
  uploadFile?: UploadFile;
  /** The server stores no message before this. */
  sent?: Promise<void>;
  /** Given by tests with fake timers. */
  advanceTimers?: (ms: number) => void;
}

/**
 * Renders the chat page with the real state, outbox and HTTP client. Page events and the socket are test doubles; the
 * server stores sent messages with sequence numbers after `lastSeq`.
 */
export function renderChat(options: RenderOptions = {}) {
  const { path = "/home", search = "", hash = "", isVisible = () => true, uploadFile, sent, advanceTimers } = options;
  const { stored } = options;
  let { lastSeq = 0 } = options;
  const emitted: { name: string; payload: unknown }[] = [];
  const shell: ShellState = { path, user: ME, isLoggedOut: false };
  const page = { isOnline: true };
  let socket: SocketListeners | undefined;
  let listeners: PageListeners | undefined;
  let isConnected = false;
  const connectNow = jest.fn();

  const environment: ChatEnvironment = {
    storage: localStorage,
    uploadFile,
    page: {
      isVisible,
      isOnline: () => page.isOnline,
      address: () => ({ search, hash }),
      listen(added) {
        listeners = added;
        return () => undefined;
      },
    },
    lock: () => ({ start: (onChange) => onChange(true), takeOver: () => undefined, stop: () => undefined }),
    openDevice: stored && (async () => ({ read: async () => stored, save: async () => undefined })),
    createApi: (userId, onUnauthorised) => createChatApi({ userId, onUnauthorised }),
    createSocket() {
      const note = (name: string, payload: unknown) => void emitted.push({ name, payload });
      return {
        listen(added) {
          socket = added;
        },
        isConnected: () => isConnected,
        connect: () => undefined,
        connectNow,
        close: () => undefined,
        emit: note,
        async request(name, payload) {
          note(name, payload);
          const { attachments: ids, preview, ...message } = payload as SentMessage;
          if (name !== "send_message") return {};
          await sent;
          lastSeq += 1;
          const attachments = ids?.map((id) => anAttachment({ id, name: id }));
          const parts = {
            ...(attachments && { attachments }),
            ...(preview && { preview: aLinkPreview({ id: preview }) }),
          };
          return { message: fromMe({ seq: lastSeq, ...message, ...parts }) };
        },
      };
    },
  };

  render(<TestShell environment={environment} shell={shell} />);
  return {
    shell,
    user: userEvent.setup({ advanceTimers: advanceTimers ?? (() => undefined) }),
    /** Advances the fake timers. */
    pass: (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms)),
    /** Sets the fake clock forward by at least a minute. Only timers of the last minute run. */
    fastForward: (ms: number) =>
      act(() => {
        jest.setSystemTime(Date.now() + ms - MINUTE_MS);
        return jest.advanceTimersByTimeAsync(MINUTE_MS);
      }),
    /** Returns the payloads of the client events with this name. */
    payloads: (name: string) => emitted.filter((event) => event.name === name).map(({ payload }) => payload),
    /**
     * Calls the handlers of server events as a socket does. With real timers, waits until the view shows the result.
     */
    receive: (event: (handlers: SocketListeners["handlers"]) => void) =>
      act(async () => {
        if (socket) event(socket.handlers);
        if (!advanceTimers) await new Promise((resolve) => setTimeout(resolve, VIEW_INTERVAL_MS));
      }),
    connect: () =>
      act(async () => {
        isConnected = true;
        socket?.onConnect();
      }),
    /** Lets an attempt to connect fail without a response. */
    failToConnect: () => act(async () => socket?.onUnreachable()),
    connectNow,
    disconnect: () =>
      act(async () => {
        isConnected = false;
        socket?.onDisconnect();
      }),
    /** Reports that another tab has changed a key of the storage. */
    changeStorage: (key: string) => act(async () => listeners?.onStorage(new StorageEvent("storage", { key }))),
    setOnline: (isOnline: boolean) =>
      act(async () => {
        page.isOnline = isOnline;
        listeners?.onNetwork();
      }),
  };
}

/** Records the calls to the shell's callbacks. */
interface ShellState {
  path: string;
  user: User;
  isLoggedOut: boolean;
}

function TestShell({ environment, shell }: { environment: ChatEnvironment; shell: ShellState }): ReactElement {
  const [path, setPath] = useState(shell.path);
  const [user, setUser] = useState(shell.user);
  return (
    <ChatPage
      environment={environment}
      user={user}
      friendId={path.split("/")[2]}
      deviceDatabase={environment.openDevice && "device"}
      isUnconfirmed={environment.openDevice !== undefined}
      navigate={(next) => {
        shell.path = next;
        setPath(next);
      }}
      onUserChanged={(changed) => {
        shell.user = changed;
        setUser(changed);
      }}
      onLoggedOut={() => {
        shell.isLoggedOut = true;
      }}
    />
  );
}

/** Replaces the clock and its timers; timers that HTTP needs stay real. */
export function fakeTime(now: Date = new Date()): void {
  jest.useFakeTimers({ now, doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "clearImmediate", "hrtime"] });
}
