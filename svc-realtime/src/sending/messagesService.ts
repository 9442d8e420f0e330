import { ApiError, type Call } from "@messageoh/contracts/client";
import type { Logger } from "@messageoh/service-kit/logger";
import { Gauge } from "@messageoh/service-kit/metrics";

const LOOK_EVERY_MS = 1_000;

const instancesGauge = new Gauge({
  name: "messageoh_realtime_messages_instances",
  help: "Instances of svc-messages that this instance knows, by whether they answer",
  labelNames: ["state"],
});

export interface MessagesServiceOptions {
  /** Lists the base URLs of the instances that run now. */
  discover: () => Promise<string[]>;
  clientOf: (baseUrl: string) => Call;
  /** Whether an instance takes work (its `/readyz`). */
  probe: (baseUrl: string) => Promise<boolean>;
  logger: Logger;
}

interface Instance {
  url: string;
  hash: number;
  call: Call;
  /** It is new or failed a call, and has not passed a probe since. */
  isAway: boolean;
  /** It failed a call and is being probed. */
  isSuspected: boolean;
}

export type MessagesService = ReturnType<typeof createMessagesService>;

/**
 * The instances of svc-messages. Every thread has one owner among those that answer, the same for all realtime instances
 * (rendezvous hashing), so that writers of a thread rarely meet. Correctness does not depend on it.
 */
export function createMessagesService({ discover, clientOf, probe, logger }: MessagesServiceOptions) {
  let instances: Instance[] = [];
  const listeners: (() => void)[] = [];

  const changed = () => {
    instancesGauge.set({ state: "up" }, instances.filter(({ isAway }) => !isAway).length);
    instancesGauge.set({ state: "away" }, instances.filter(({ isAway }) => isAway).length);
    for (const listener of listeners) listener();
  };

  async function look(): Promise<void> {
    const urls = await discover();
    // An empty list is more likely a failed look-up than the end of all instances.
    if (urls.length > 0 && urls.join() !== instances.map(({ url }) => url).join()) {
      const known = new Map(instances.map((instance) => [instance.url, instance]));
      instances = urls.map(
        (url) => known.get(url) ?? { url, hash: hashOf(url), call: clientOf(url), isAway: true, isSuspected: false },
      );
      logger.info({ urls }, "svc-messages instances changed");
      changed();
    }
    await Promise.all(
      instances
        .filter(({ isAway }) => isAway)
        .map(async (instance) => {
          if (!(await probe(instance.url).catch(() => false))) return;
          instance.isAway = false;
          logger.info({ url: instance.url }, "svc-messages instance is back");
          changed();
        }),
    );
  }

  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  async function lookAgain(): Promise<void> {
    await look().catch((err) => logger.warn({ err }, "svc-messages instances not discovered"));
    if (!isClosed) timer = setTimeout(lookAgain, LOOK_EVERY_MS * (0.75 + Math.random() / 2)).unref();
  }

  function ownerOf(key: string): Instance | undefined {
    const keyHash = hashOf(key);
    const up = instances.filter(({ isAway }) => !isAway);
    let owner: Instance | undefined;
    let highest = -1;
    for (const instance of up.length > 0 ? up : instances) {
      const score = mix(keyHash ^ instance.hash);
      if (score > highest) [owner, highest] = [instance, score];
    }
    return owner;
  }

  function giveUp(instance: Instance, err: unknown): void {
    if (instance.isAway) return;
    instance.isAway = true;
    logger.warn({ url: instance.url, err }, "svc-messages instance failed");
    changed();
  }

  async function suspect(instance: Instance, err: unknown): Promise<void> {
    if (instance.isAway || instance.isSuspected) return;
    instance.isSuspected = true;
    if (!(await probe(instance.url).catch(() => false))) giveUp(instance, err);
    instance.isSuspected = false;
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
      if (isFailure(error)) onFailure(instance, error);
      throw error;
    }
  }

  return {
    /** Begins to follow the instances. */
    start: lookAgain,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
    /** Told when the owner of a thread may be another one. */
    onChange: (listener: () => void) => void listeners.push(listener),

    /** Base URL of the instance that owns a thread; empty if none is known. */
    ownerOf: (threadId: string): string => ownerOf(threadId)?.url ?? "",

    /** Calls the instance with this base URL. If it fails, its threads go to the others at once. */
    callAt: <T>(url: string, work: (call: Call) => Promise<T>): Promise<T> =>
      callOn(
        instances.find((instance) => instance.url === url),
        work,
        giveUp,
      ),

    /**
     * Calls the owner of a thread, or of anything else with a name. A failure may be due to this call alone (a slow query,
     * a dependency), so the instance keeps its threads if it passes a probe.
     */
    callFor:
      (key: string): Call =>
      (endpoint, input) =>
        callOn(ownerOf(key), (call) => call(endpoint, input), suspect),
  };
}

const isFailure = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** The finaliser of MurmurHash3: spreads every bit over the result. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
