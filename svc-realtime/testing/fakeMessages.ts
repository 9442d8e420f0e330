import { randomBytes } from "node:crypto";
import { type Beat, idAt } from "@messageoh/contracts/beat";
import { ApiError, type Call } from "@messageoh/contracts/client";
import {
  listBetween,
  listMissedMessages,
  type MarkerMove,
  type MarkerResult,
  type NewMessage,
} from "@messageoh/contracts/internal/messages";
import type { ThreadMembers } from "@messageoh/contracts/internal/users";
import type { RequestFrame, ResponseFrame, StreamStoreResult } from "@messageoh/contracts/messageStream";
import type { Message } from "@messageoh/contracts/messages";
import { createFakeCall, route } from "@messageoh/contracts/testing/fakeService";
import type { RealtimeOptions } from "../src/realtime.ts";
import type { StreamHandlers } from "../src/sending/messagesStream.ts";

/** A fake svc-messages that stores messages in memory and publishes nothing. */
export class FakeMessages {
  /** Base URLs of the instances. */
  urls = ["http://messages-1"];
  /** Ids of threads whose messages are to be retried, and of threads whose messages get no result. */
  readonly retriedThreads = new Set<string>();
  readonly hungThreads = new Set<string>();
  /** Returns the time of the clock of svc-messages, in milliseconds since 1970. */
  now = Date.now;
  /** Name of the process that stores messages, six hex digits. */
  process = randomBytes(3).toString("hex");
  readonly stored: Message[] = [];
  readonly markers: MarkerMove[] = [];
  /** Paths of the received calls, and `send` for each message on a stream. */
  readonly calls: string[] = [];
  /** Called for each message that a request stored. */
  onStored: (message: Message, request: NewMessage) => void = () => undefined;
  readonly #threads: readonly ThreadMembers[];
  readonly #streams = new Set<StreamHandlers>();
  #isDown = false;

  constructor(threads: readonly ThreadMembers[]) {
    this.#threads = threads;
  }

  /** Whether every call fails and no stream opens. Setting it closes the streams. */
  get isDown(): boolean {
    return this.#isDown;
  }
  set isDown(isDown: boolean) {
    this.#isDown = isDown;
    if (isDown) for (const handlers of this.#streams) this.#close(handlers);
  }

  /** The options that connect a realtime instance to this fake. */
  get options(): RealtimeOptions["messages"] {
    const call = createFakeCall([
      route(listMissedMessages, ({ body: { user_ids, ranges, after = "" } }) => ({
        messages: this.stored
          .filter(({ id }) => id > after && isIn(ranges, id))
          .filter(({ sending_user_id: by, recipient_user_id: to }) => [by, to].some((id) => user_ids.includes(id)))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      })),
      route(listBetween, ({ body: { thread_id, after, before } }) => ({
        messages: this.stored.filter(({ thread_id: id, seq }) => id === thread_id && seq > after && seq < before),
      })),
    ]);
    const countedCall: Call = async (endpoint, input) => {
      this.calls.push(endpoint.path);
      if (this.isDown) throw new ApiError(503);
      return call(endpoint, input);
    };
    return {
      discover: async () => this.urls,
      clientOf: () => countedCall,
      openStream: (_, handlers) => {
        setImmediate(() => (this.isDown ? handlers.onClose() : this.#open(handlers)));
        return {
          send: (frame) => setImmediate(() => this.#answer(handlers, frame)),
          close: () => setImmediate(() => this.#close(handlers)),
        };
      },
    };
  }

  /** The position after everything that is stored. */
  get beat(): Beat {
    const from = idAt(0, this.process);
    const position = idAt(this.now(), this.process, this.stored.length + 1);
    return { service: "messages", name: this.process, from, position, unknown: [], has_lost: false, is_last: false };
  }

  /** Sends the current position on all streams. */
  sendBeat(): void {
    for (const handlers of this.#streams) handlers.onFrame({ beat: this.beat, results: [] });
  }

  #open(handlers: StreamHandlers): void {
    this.#streams.add(handlers);
    handlers.onFrame({ beat: this.beat, results: [] });
  }

  #close(handlers: StreamHandlers): void {
    if (this.#streams.delete(handlers)) handlers.onClose();
  }

  #answer(handlers: StreamHandlers, { messages, receipts }: RequestFrame): void {
    if (!this.#streams.has(handlers)) return;
    const answered = messages.filter(([, { thread_id }]) => !this.hungThreads.has(thread_id));
    this.calls.push(...messages.map(() => "send"));
    const results: ResponseFrame["results"] = [
      ...answered.map(([number, message]) => [number, this.#storeResult(message)] as const),
      ...receipts.map(([number, move]) => [number, this.#moveResult(move)] as const),
    ];
    handlers.onFrame({ beat: this.beat, results });
  }

  /** Stores a message without a request, with the next sequence number of its thread. */
  store({
    origin: _,
    instance: __,
    request_id: ___,
    traceparent: ____,
    attachments,
    preview,
    ...parts
  }: NewMessage): Message {
    const seq = this.stored.filter(({ thread_id }) => thread_id === parts.thread_id).length + 1;
    const id = idAt(this.now(), this.process, this.stored.length + 1);
    const message: Message = { ...parts, id, seq, timestamp: parts.timestamp ?? new Date().toISOString(), read: false };
    if (attachments) message.attachments = attachments.map(asFile);
    if (preview !== undefined) message.preview = asLinkPreview(preview);
    this.stored.push(message);
    return message;
  }

  #isMember(threadId: string, ...userIds: string[]): boolean {
    return this.#threads.some(
      ({ thread_id, user_ids }) => thread_id === threadId && userIds.every((id) => user_ids.includes(id)),
    );
  }

  #storeResult(message: NewMessage): StreamStoreResult {
    const { thread_id, sending_user_id, recipient_user_id, client_id } = message;
    if (this.retriedThreads.has(thread_id)) return { retry: true };
    if (!this.#isMember(thread_id, sending_user_id, recipient_user_id))
      return { error: "You can only write to your friends" };
    const repeated = this.stored.find((each) => each.client_id === client_id);
    if (repeated) return { message: repeated, is_repeat: true };
    const previous_id = this.stored.findLast((each) => each.thread_id === thread_id)?.id;
    const stored = this.store(message);
    this.onStored(stored, message);
    return { message: stored, previous_id };
  }

  #moveResult(move: MarkerMove): MarkerResult {
    if (!this.#isMember(move.thread_id, move.user_id)) return { error: "This is not yours" };
    this.markers.push(move);
    const { request_id: _, ...marker } = move;
    return { marker };
  }
}

const isIn = (ranges: readonly (readonly [string, string])[], id: string) =>
  ranges.some(([from, until]) => id >= from && id < until);

const asLinkPreview = (id: string) => ({ id, url: "https://a.example", title: "A page", site: "a.example" });

/** Returns what svc-media might say about an upload. */
const asFile = (id: string) => ({
  id,
  kind: "file" as const,
  name: `${id}.bin`,
  bytes: 1,
  type: "application/octet-stream",
});
