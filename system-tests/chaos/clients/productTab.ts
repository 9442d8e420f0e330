import { listMessages, listThreads, type Message } from "@messageoh/contracts/messages";
import { logOut } from "@messageoh/contracts/users";
import {
  activeThread,
  type Chat,
  createChat,
  createChatApi,
  createChatSocket,
  createTabLock,
  type PageListeners,
} from "mfe-chat/client";
import { viewOf } from "mfe-chat/testing/chatView";
import type { Socket } from "socket.io-client";
import type { Ledger, Sent, Session } from "../checker/ledger.ts";
import { ViewObserver } from "../checker/viewObserver.ts";
import type { Browser } from "./browser.ts";
import { observedCall } from "./observedCall.ts";
import { openObservedSocket } from "./observedSocket.ts";

export interface TabOptions {
  url: string;
  ledger: Ledger;
  user: { id: string; name: string; avatar_id: string };
  browser: Browser;
}

/** A user hesitates before pressing Retry. */
const RETRY_MS = 1_000;

let created = 0;

/** A tab of the product's own client: everything below its views. */
export class ProductTab {
  readonly name = `tab${++created}`;
  readonly browser: Browser;
  readonly session: Session;
  isSignedOut = false;
  /** Whether the server confirmed the log-out of this tab. */
  readonly loggedOut: Promise<boolean>;
  socket: Socket | undefined;
  readonly #userId: string;
  readonly #ledger: Ledger;
  readonly chat: Chat;
  readonly #unsubscribe: () => void;
  /** Highest number that this tab knows, by thread. */
  readonly #known = new Map<string, number>();
  #listeners: PageListeners | undefined;
  #openFriendId: string | undefined;
  #isVisible = true;

  constructor({ url, ledger, user, browser }: TabOptions) {
    this.browser = browser;
    this.session = browser.session;
    this.#userId = user.id;
    this.#ledger = ledger;
    const call = observedCall(url, ledger, () => this.session);
    const loggedOut = Promise.withResolvers<boolean>();
    this.loggedOut = loggedOut.promise;
    const observed: typeof call = async (endpoint, input) => {
      const responded = call(endpoint, input);
      if (endpoint.path === logOut.path) {
        responded.then(
          () => loggedOut.resolve(true),
          () => loggedOut.resolve(false),
        );
      }
      const response = await responded;
      if (endpoint.path === listThreads.path) this.#learnThreads(response as { thread_id: string; last_seq: number }[]);
      if (endpoint.path === listMessages.path) for (const message of response as Message[]) this.#learn(message);
      return response;
    };
    const listener = (event: StorageEvent) => this.#listeners?.onStorage(event);
    const stopListening = browser.listen(listener);
    this.chat = createChat(
      user,
      undefined,
      () => ({
        navigate: (path) => this.#navigate(path),
        onUserChanged: () => undefined,
        onLoggedOut: (why) => this.#signedOut(why),
      }),
      {
        storage: browser.storageOf(() => listener),
        lock: (userId, purpose) => createTabLock(userId, browser.locks, purpose),
        page: {
          isVisible: () => this.#isVisible,
          isOnline: () => true,
          address: () => ({ search: "", hash: "" }),
          listen: (listeners) => {
            this.#listeners = listeners;
            return () => {
              this.#listeners = undefined;
            };
          },
        },
        createApi: (userId, onUnauthorised) => createChatApi({ userId, onUnauthorised, call: observed }),
        createSocket: () => {
          const onSend = () => {
            browser.sendsThrough = this.instance;
          };
          const onSeen = (message: Message) => this.#learn(message);
          const { socket, tapped } = openObservedSocket({ url, ledger, session: this.session, onSeen, onSend });
          this.socket = socket;
          return createChatSocket(tapped);
        },
      },
    );
    const view = new ViewObserver(ledger, user.id, this.name);
    const unsubscribeView = this.chat.store.subscribeView(() => {
      view.check(activeThread(this.chat.store.get()));
      this.#pressRetry();
    });
    this.#unsubscribe = () => {
      unsubscribeView();
      stopListening();
    };
    this.chat.start();
  }

  /** What the tab shows. */
  get view() {
    return viewOf(this.chat.store.get());
  }

  /** Number of changes of messages that the server has not confirmed. */
  get pendingChanges(): number {
    return this.chat.store.get().pending.length;
  }

  get isReady(): boolean {
    return this.chat.store.get().status === "ready" && this.socket?.connected === true && !this.isSignedOut;
  }

  /** Name of the realtime instance that serves this tab. */
  get instance(): string | undefined {
    return this.socket?.io.engine?.id?.split(".")[0];
  }

  threadWith(friendId: string) {
    return this.view.friends.find(({ friend }) => friend.id === friendId)?.thread;
  }

  /** Sends the next message of this tab to a friend. Returns `undefined` if the tab does not list the friend. */
  send(friendId: string): Sent | undefined {
    const thread = this.threadWith(friendId);
    if (!thread || this.isSignedOut) return undefined;
    const route = { from: this.#userId, to: friendId, threadId: thread.threadId };
    const sent = this.#ledger.compose({ ...route, client: this.name, isGuaranteed: true });
    this.chat.messages.send(thread.threadId, sent.text);
    return sent;
  }

  open(friendId: string | undefined): void {
    this.#openFriendId = friendId;
    this.#mayRead();
    this.chat.openFriend(friendId);
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#mayRead();
    this.#listeners?.onVisibility();
  }

  /** Ends the session. */
  logOut(): void {
    this.chat.account.logOut();
  }

  /** Closes the connection without closing the socket. */
  cut(): void {
    this.socket?.io.engine?.close();
  }

  /** Closes the tab without a sign-out. Unsent messages stay in the browser. */
  close(): void {
    if (!this.isSignedOut) this.#ledger.checks.verify("no sign-out of a valid session", true, String);
    this.#unsubscribe();
    this.chat.stop();
  }

  /** Presses the button of the full-screen error. */
  #pressRetry(): void {
    const hasFailed = () => this.chat.store.get().status === "failed";
    if (hasFailed()) setTimeout(() => hasFailed() && this.chat.retryLoad(), RETRY_MS);
  }

  #navigate(path: string): void {
    const friendId = path.split("/")[2];
    this.open(friendId && decodeURIComponent(friendId));
  }

  #signedOut(why: "ended" | undefined): void {
    this.isSignedOut = true;
    const isRight = why === undefined || this.session.endingAt !== undefined;
    this.#ledger.checks.verify("no sign-out of a valid session", isRight, () => `${this.name} of ${this.#userId}`);
  }

  #learn({ thread_id, seq }: { thread_id: string; seq: number }): void {
    this.#known.set(thread_id, Math.max(seq, this.#known.get(thread_id) ?? 0));
    this.#mayRead();
  }

  #learnThreads(states: readonly { thread_id: string; last_seq: number }[]): void {
    for (const { thread_id, last_seq } of states) this.#learn({ thread_id, seq: last_seq });
  }

  /** Records what the tab may mark as read: all that it knows of the thread that it shows. */
  #mayRead(): void {
    if (!this.#isVisible || this.#openFriendId === undefined) return;
    const threadId = this.#ledger.threadBetween(this.#userId, this.#openFriendId);
    if (threadId) this.#ledger.mayHaveRead(this.#userId, threadId, this.#known.get(threadId) ?? 0);
  }
}
