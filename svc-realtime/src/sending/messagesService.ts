import type { Beat } from "@messageoh/contracts/beat";
import { ApiError, type Call } from "@messageoh/contracts/client";
import type { RequestFrame, ResponseFrame } from "@messageoh/contracts/messageStream";
import type { Logger } from "@messageoh/service-kit/logger";
import { Gauge } from "@messageoh/service-kit/metrics";
import type { MessagesStream, OpenStream } from "./messagesStream.ts";
import { hashOf, ownerAmong } from "./rendezvous.ts";

const REFRESH_INTERVAL_MS = 1_000;

const instancesGauge = new Gauge({
  name: "messageoh_realtime_messages_instances",
  help: "Known svc-messages instances, by state",
  labelNames: ["state"],
});

export interface MessagesServiceOptions {
  /** Returns the base URLs of the instances that run now. */
  discover: () => Promise<string[]>;
  clientOf: (baseUrl: string) => Call;
  openStream: OpenStream;
  logger: Logger;
}

export type Result = ResponseFrame["results"][number];

export interface MessagesServiceListeners {
  onBeat: (beat: Beat) => void;
  onResult: (...result: Result) => void;
  /** Called when an instance has failed: its requests get no results. */
  onFailed: (instance: MessagesInstance) => void;
}

export interface MessagesInstance {
  url: string;
  hash: number;
  call: Call;
  stream: MessagesStream;
  /** The stream is open and the instance takes requests. */
  isUp: boolean;
  /** What the next frame carries. */
  frame: RequestFrame;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/**
 * Keeps a stream to each svc-messages instance. Every thread has one owner among the instances that are up, the same for
 * all realtime instances, so that concurrent writers of a thread are rare. Correctness does not depend on it.
 */
export function createMessagesService({ discover, clientOf, openStream, logger }: MessagesServiceOptions) {
  const instances = new Map<string, MessagesInstance>();
  let listeners: MessagesServiceListeners | undefined;

  function countInstances(): void {
    const up = [...instances.values()].filter(({ isUp }) => isUp).length;
    instancesGauge.set({ state: "up" }, up);
    instancesGauge.set({ state: "down" }, instances.size - up);
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
        listeners?.onBeat(beat);
        for (const [number, result] of results) listeners?.onResult(number, result);
      },
      onClose() {
        opened.resolve();
        instances.delete(url);
        if (instance.isUp) logger.warn({ url }, "svc-messages instance failed");
        countInstances();
        listeners?.onFailed(instance);
      },
    });
    const frame = { messages: [], receipts: [] };
    const instance: MessagesInstance = { url, hash: hashOf(url), call: clientOf(url), stream, isUp: false, frame };
    instances.set(url, instance);
    return opened.promise;
  }

  /** Opens and closes streams. Returns the promises of those that are opening. */
  async function refresh(): Promise<Promise<void>[]> {
    const urls = await discover();
    const opening = urls.filter((url) => !instances.has(url)).map(open);
    // An empty list more likely means a failed look-up than that all instances are gone.
    for (const [url, { stream }] of instances) if (urls.length > 0 && !urls.includes(url)) stream.close();
    return opening;
  }

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  async function refreshPeriodically(): Promise<Promise<void>[]> {
    const opening = await refresh().catch((err) => {
      logger.warn({ err }, "svc-messages discovery failed");
      return [];
    });
    const delayMs = REFRESH_INTERVAL_MS * (0.75 + Math.random() / 2);
    if (!isClosed) timer = setTimeout(refreshPeriodically, delayMs).unref();
    return opening;
  }

  /** Returns the instance that owns a thread, or any other key, if one is up. */
  const ownerOf = (key: string): MessagesInstance | undefined =>
    ownerAmong(
      [...instances.values()].filter(({ isUp }) => isUp),
      key,
    );

  function flush(instance: MessagesInstance): void {
    instance.stream.send(instance.frame);
    instance.frame = { messages: [], receipts: [] };
  }

  return {
    /** Connects to the instances, now and every second. Resolves when the first ones are up or have failed. */
    start: async (): Promise<void> => void (await Promise.all(await refreshPeriodically())),
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      for (const { stream } of instances.values()) stream.close();
    },
    listen(to: MessagesServiceListeners): void {
      listeners = to;
    },
    ownerOf,

    /** Adds requests to the next frame of an instance, which carries those of one turn of the event loop. */
    request(instance: MessagesInstance, { messages = [], receipts = [] }: Partial<RequestFrame>): void {
      if (instance.frame.messages.length + instance.frame.receipts.length === 0) setImmediate(flush, instance);
      instance.frame.messages.push(...messages);
      instance.frame.receipts.push(...receipts);
    },

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
