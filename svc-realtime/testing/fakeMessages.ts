import { ApiError, type Call } from "@messageoh/contracts/client";
import {
  listBetween,
  listRecentMessages,
  type MarkerMove,
  type Message,
  moveMarkers,
  type NewMessage,
  type StoreResult,
  storedAt,
  storeMessages,
} from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import type { ThreadMembers } from "@messageoh/contracts/users";
import type { RealtimeOptions } from "../src/realtime.ts";

/** A fake svc-messages that stores messages in memory and publishes nothing. */
export class FakeMessages {
  /** Whether every call fails. */
  isDown = false;
  /** Base URLs of the instances. */
  urls = ["http://messages-1"];
  /** Ids of threads whose messages are to be retried. */
  readonly retriedThreads = new Set<string>();
  /** Returns the time of the clock of svc-messages, in milliseconds since 1970. */
  now = Date.now;
  /** Id of the process that stores messages, six hex digits. */
  process = "000000";
  readonly stored: Message[] = [];
  readonly markers: MarkerMove[] = [];
  /** Paths of the received calls. */
  readonly calls: string[] = [];
  /** Called for each message that a call stored, with the id of the sending socket. */
  onStored: (message: Message, origin: string) => void = () => undefined;
  readonly #threads: readonly ThreadMembers[];

  constructor(threads: readonly ThreadMembers[]) {
    this.#threads = threads;
  }

  /** The options that connect a realtime instance to this fake. */
  get options(): RealtimeOptions["messages"] {
    const call = createFakeCall([
      route(storeMessages, ({ body }) => ({
        results: body.messages.map((message) => this.#storeResult(message)),
        now: this.now(),
        process: this.process,
      })),
      route(moveMarkers, ({ body }) => ({ results: body.markers.map((marker) => this.#moveResult(marker)) })),
      route(listRecentMessages, ({ body }) => ({
        messages: this.#recentMessages(body),
        now: this.now(),
        process: this.process,
      })),
      route(listBetween, ({ body: { thread_id, after, before } }) => ({
        messages: this.stored.filter((message) => message.thread_id === thread_id && isBetween(message, after, before)),
      })),
    ]);
    const countedCall: Call = async (endpoint, input) => {
      this.calls.push(endpoint.path);
      if (this.isDown) throw new ApiError(503);
      return call(endpoint, input);
    };
    return { discover: async () => this.urls, clientOf: () => countedCall, probe: async () => !this.isDown };
  }

  /** Stores a message without a call, with the next sequence number of its thread. */
  store({ origin: _, request_id: __, traceparent: ___, ...parts }: NewMessage): Message {
    const seq = this.stored.filter(({ thread_id }) => thread_id === parts.thread_id).length + 1;
    const count = this.stored.length + 1;
    const id = this.now().toString(16).padStart(12, "0") + this.process + count.toString(16).padStart(6, "0");
    const message = { ...parts, id, seq, timestamp: parts.timestamp ?? new Date().toISOString(), read: false };
    this.stored.push(message);
    return message;
  }

  #isMember(threadId: string, ...userIds: string[]): boolean {
    return this.#threads.some(
      ({ thread_id, user_ids }) => thread_id === threadId && userIds.every((id) => user_ids.includes(id)),
    );
  }

  #storeResult(message: NewMessage): StoreResult {
    const { thread_id, sending_user_id, recipient_user_id } = message;
    if (this.retriedThreads.has(thread_id)) return { retry: true };
    if (!this.#isMember(thread_id, sending_user_id, recipient_user_id))
      return { error: "You can only write to your friends" };
    const stored = this.store(message);
    this.onStored(stored, message.origin);
    return { message: stored };
  }

  #moveResult(move: MarkerMove) {
    if (!this.#isMember(move.thread_id, move.user_id)) return { error: "This is not yours" };
    this.markers.push(move);
    const { request_id: _, ...marker } = move;
    return { marker };
  }

  #recentMessages({ user_ids, since, until, known = {} }: RecentRequest): Message[] {
    const from = Date.parse(since);
    const to = until ? Date.parse(until) : Infinity;
    const recent = this.stored.filter(({ id }) => storedAt(id) >= from && storedAt(id) < to);
    return user_ids.flatMap((userId) => {
      const received = recent.filter((message) => message.recipient_user_id === userId);
      return received.length > (known[userId] ?? 0) ? received : [];
    });
  }
}

interface RecentRequest {
  user_ids: string[];
  since: string;
  until?: string | undefined;
  known?: Record<string, number> | undefined;
}

const isBetween = ({ seq }: Message, after: number, before: number): boolean => seq > after && seq < before;
