import { ApiError, type Call } from "@messageoh/contracts/client";
import type { Logger } from "@messageoh/service-kit/logger";
import { Gauge } from "@messageoh/service-kit/metrics";
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
  /** Returns whether an instance is ready (its `/readyz`). */
  probe: (baseUrl: string) => Promise<boolean>;
  logger: Logger;
}

interface Instance {
  url: string;
  hash: number;
  call: Call;
  /** The instance is new or failed, and has not passed a probe since. */
  isDown: boolean;
  /** A call failed and a probe decides whether the instance is down. */
  isProbing: boolean;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/**
 * Tracks the svc-messages instances and routes calls to them. Every thread has one owner among the instances that are up,
 * the same for all realtime instances, so that concurrent writers of a thread are rare. Correctness does not depend on it.
 */
export function createMessagesService({ discover, clientOf, probe, logger }: MessagesServiceOptions) {
  let instances: Instance[] = [];
  const listeners: (() => void)[] = [];

  const notifyChange = () => {
    instancesGauge.set({ state: "up" }, instances.filter(({ isDown }) => !isDown).length);
    instancesGauge.set({ state: "down" }, instances.filter(({ isDown }) => isDown).length);
    for (const listener of listeners) listener();
  };

  async function refresh(): Promise<void> {
    const urls = await discover();
    // An empty list more likely means a failed look-up than that all instances are gone.
    if (urls.length > 0 && urls.join() !== instances.map(({ url }) => url).join()) {
      const known = new Map(instances.map((instance) => [instance.url, instance]));
      instances = urls.map(
        (url) => known.get(url) ?? { url, hash: hashOf(url), call: clientOf(url), isDown: true, isProbing: false },
      );
      logger.info({ urls }, "svc-messages instances changed");
      notifyChange();
    }
    await Promise.all(instances.filter(({ isDown }) => isDown).map(recover));
  }

  async function recover(instance: Instance): Promise<void> {
    if (!(await isReady(instance))) return;
    instance.isDown = false;
    logger.info({ url: instance.url }, "svc-messages instance recovered");
    notifyChange();
  }

  const isReady = (instance: Instance) => probe(instance.url).catch(() => false);

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  async function refreshPeriodically(): Promise<void> {
    await refresh().catch((err) => logger.warn({ err }, "svc-messages discovery failed"));
    if (isClosed) return;
    timer = setTimeout(refreshPeriodically, REFRESH_INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
  }

  function ownerOf(key: string): Instance | undefined {
    const up = instances.filter(({ isDown }) => !isDown);
    return ownerAmong(up.length > 0 ? up : instances, key);
  }

  function markDown(instance: Instance, err: unknown): void {
    if (instance.isDown) return;
    instance.isDown = true;
    logger.warn({ url: instance.url, err }, "svc-messages instance failed");
    notifyChange();
  }

  async function markDownUnlessReady(instance: Instance, err: unknown): Promise<void> {
    if (instance.isDown || instance.isProbing) return;
    instance.isProbing = true;
    if (!(await isReady(instance))) markDown(instance, err);
    instance.isProbing = false;
  }

  async function callOn<T>(
    instance: Instance | undefined,
    work: (call: Call) => Promise<T>,
    onFailure: (instance: Instance, error: unknown) => void,
  ): Promise<T> {
    if (!instance) throw new ApiError(0);
    try {
      return await work(instance.call);
    } catch (error) {
      if (isInstanceFailure(error)) onFailure(instance, error);
      throw error;
    }
  }

  return {
    /** Discovers the instances, now and every second. Resolves after the first time. */
    start: refreshPeriodically,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
    /** Registers a listener that is called when the owners of threads may have changed. */
    onChange: (listener: () => void) => void listeners.push(listener),

    /** Returns the base URL of the instance that owns a thread, or an empty string if no instance is known. */
    ownerOf: (threadId: string): string => ownerOf(threadId)?.url ?? "",

    /** Calls the instance with this base URL. If the call fails, its threads move to the other instances at once. */
    callAt: <T>(url: string, work: (call: Call) => Promise<T>): Promise<T> =>
      callOn(
        instances.find((instance) => instance.url === url),
        work,
        markDown,
      ),

    /**
     * Returns a client that calls the owner of a thread, or of any other key. The cause of a failed call may be the call
     * itself (a slow query), so the instance keeps its threads if it passes a probe.
     */
    callFor:
      (key: string): Call =>
      (endpoint, input) =>
        callOn(ownerOf(key), (call) => call(endpoint, input), markDownUnlessReady),
  };
}

const isInstanceFailure = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
