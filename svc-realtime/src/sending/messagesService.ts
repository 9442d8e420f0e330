import type { Beat } from "@messageoh/contracts/beat";
import { ApiError, type Call } from "@messageoh/contracts/client";
import type { MarkerMove, MarkerResult, NewMessage } from "@messageoh/contracts/internal/messages";
import type { RequestFrame, StreamResult, StreamStoreResult } from "@messageoh/contracts/messageStream";
import type { Logger } from "@messageoh/service-kit/logger";
import { Gauge, Histogram, LATENCY_BUCKETS_SECONDS } from "@messageoh/service-kit/metrics";
import type { MessagesStream, OpenStream } from "./messagesStream.ts";
import { ownerAmong } from "./rendezvous.ts";

const REFRESH_INTERVAL_MS = 1_000;
/** Longest wait for a result. */
const RESULT_MAX_MS = 5_000;
/**
 * Requests without a result of one svc-messages instance. Above it, receipts are refused; the forwarder limits
 * messages.
 */
const PENDING_MAX = 10_000;

const RETRY = { retry: true } as const;

const instancesGauge = new Gauge({
  name: "messageoh_realtime_messages_instances",
  help: "Known svc-messages instances, by state",
  labelNames: ["state"],
});
const storeSeconds = new Histogram({
  name: "messageoh_realtime_store_seconds",
  help: "Time from a request to svc-messages to its result",
  buckets: LATENCY_BUCKETS_SECONDS,
});

export interface MessagesServiceOptions {
  /** Returns the base URLs of the instances that run now. */
  discover: () => Promise<string[]>;
  clientOf: (baseUrl: string) => Call;
  openStream: OpenStream;
  /** Called with the position of an instance, as its stream says it. */
  onBeat: (beat: Beat) => void;
  logger: Logger;
}

interface Instance {
  url: string;
  call: Call;
  stream: MessagesStream;
  /** The stream is open and the instance takes requests. */
  isUp: boolean;
  /** What the next frame carries. */
  frame: RequestFrame;
  /** Requests without a result, by number. */
  pending: Map<number, (result: StreamResult) => void>;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/**
 * Keeps a stream to each svc-messages instance. Every thread has one owner among the instances that are up, the same
 * for all realtime instances, so that concurrent writers of a thread are rare. Correctness does not depend on it.
 */
export function createMessagesService({ discover, clientOf, openStream, onBeat, logger }: MessagesServiceOptions) {
  const instances = new Map<string, Instance>();
  /** Number of instances that the last successful discovery found. */
  let found = 0;
  let lastNumber = 0;

  const allUp = (): Instance[] => [...instances.values()].filter(({ isUp }) => isUp);

  function countInstances(): void {
    const up = allUp().length;
    instancesGauge.set({ state: "up" }, up);
    instancesGauge.set({ state: "down" }, Math.max(0, found - up));
  }

  function open(url: string): Promise<void> {
    const opened = Promise.withResolvers<void>();
    const stream = openStream(url, {
      onFrame({ beat, results, is_draining = false }) {
        if (instance.isUp === is_draining) {
          instance.isUp = !is_draining;
          logger.info(
            { url, process: beat.name },
            instance.isUp ? "svc-messages instance up" : "svc-messages draining",
          );
          countInstances();
        }
        opened.resolve();
        onBeat(beat);
        for (const [number, result] of results) settle(instance, number, result);
      },
      onClose() {
        opened.resolve();
        instances.delete(url);
        if (instance.isUp) logger.warn({ url }, "svc-messages instance failed");
        countInstances();
        for (const number of instance.pending.keys()) settle(instance, number, RETRY);
      },
    });
    const parts = { url, call: clientOf(url), stream, frame: { messages: [], receipts: [] } };
    const instance: Instance = { ...parts, isUp: false, pending: new Map() };
    instances.set(url, instance);
    return opened.promise;
  }

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Opens and closes streams, now and every second. Resolves when those that it opens now are up or have failed. */
  async function refresh(): Promise<void> {
    const urls = await discover();
    if (isClosed) return;
    timer = setTimeout(refresh, REFRESH_INTERVAL_MS).unref();
    found = urls.length || found;
    countInstances();
    const opening = urls.filter((url) => !instances.has(url)).map(open);
    // An empty list more likely means a failed lookup than the end of all instances.
    for (const instance of instances.values()) if (urls.length > 0 && !urls.includes(instance.url)) end(instance);
    await Promise.all(opening);
  }

  /** Closes the stream to an instance, which has not failed. */
  function end(instance: Instance): void {
    instance.isUp = false;
    instance.stream.close();
  }

  /** Returns the instance that owns a thread, or any other key, if one is up. */
  const ownerOf = (key: string): Instance | undefined => ownerAmong(allUp(), key);

  function settle(instance: Instance, number: number, result: StreamResult): void {
    instance.pending.get(number)?.(result);
    instance.pending.delete(number);
  }

  function flush(instance: Instance): void {
    instance.stream.send(instance.frame);
    instance.frame = { messages: [], receipts: [] };
  }

  /** Adds a request to the next frame of an instance, which carries those of one turn of the event loop. */
  function request<L extends keyof RequestFrame>(list: L, instance: Instance, body: RequestFrame[L][number][1]) {
    const { frame, pending } = instance;
    lastNumber += 1;
    if (frame.messages.length + frame.receipts.length === 0) setImmediate(flush, instance);
    (frame[list] as (readonly [number, typeof body])[]).push([lastNumber, body]);
    const { promise, resolve } = Promise.withResolvers<StreamResult>();
    pending.set(lastNumber, resolve);
    setTimeout(settle, RESULT_MAX_MS, instance, lastNumber, RETRY).unref();
    return promise;
  }

  return {
    /** Connects to the instances, now and every second. Resolves when the first ones are up or have failed. */
    start: refresh,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      instances.forEach(end);
    },
    ownerOf,

    /**
     * Resolves with the result of a message, or with `retry` if there is none after {@link RESULT_MAX_MS}. Never
     * rejects.
     */
    async store(message: NewMessage): Promise<StreamStoreResult> {
      const owner = ownerOf(message.thread_id);
      if (!owner) return RETRY;
      const endTimer = storeSeconds.startTimer();
      const result = await request("messages", owner, message);
      endTimer();
      return result as StreamStoreResult;
    },

    /** Resolves with the result of a delivery receipt, as {@link store} does. */
    async moveMarker(receipt: MarkerMove): Promise<MarkerResult> {
      const owner = ownerOf(receipt.thread_id);
      if (!owner || owner.pending.size >= PENDING_MAX) return RETRY;
      return (await request("receipts", owner, receipt)) as MarkerResult;
    },

    /** Returns whether every request has its result. */
    isIdle: () => [...instances.values()].every(({ pending }) => pending.size === 0),

    /** Returns a client that calls the owner of a key. */
    callFor:
      (key: string): Call =>
      async (endpoint, input) => {
        const owner = ownerOf(key);
        if (!owner) throw new ApiError(0);
        return owner.call(endpoint, input);
      },
  };
}
