import type { Beat } from "@messageoh/contracts/beat";
import type { RequestFrame, ResponseFrame } from "@messageoh/contracts/messageStream";
import type { OpenStream, StreamHandlers } from "../src/sending/messagesStream.ts";

const beat: Beat = {
  service: "messages",
  name: "000001",
  from: "",
  position: "",
  unknown: [],
  has_lost: false,
  is_last: false,
};

/** Streams to svc-messages instances that respond and fail as a test defines. */
export class FakeStreams {
  /** Instances that refuse a stream. */
  readonly refusing = new Set<string>();
  /** Instances that send no results. */
  readonly silent = new Set<string>();
  /** What the instances received, in order. */
  readonly frames: { url: string; frame: RequestFrame }[] = [];
  /** Returns the results for a frame. */
  resultsOf: (frame: RequestFrame) => ResponseFrame["results"] = () => [];
  readonly #open = new Map<string, StreamHandlers>();

  readonly open: OpenStream = (url, handlers) => {
    soon(() => {
      if (this.refusing.has(url)) return handlers.onClose();
      this.#open.set(url, handlers);
      handlers.onFrame({ beat, results: [] });
    });
    return {
      send: (frame) => {
        this.frames.push({ url, frame });
        if (!this.silent.has(url)) soon(() => this.send(url, { results: this.resultsOf(frame) }));
      },
      close: () => soon(() => this.fail(url)),
    };
  };

  /** Sends a frame of an instance. */
  send(url: string, frame: Partial<ResponseFrame>): void {
    this.#open.get(url)?.onFrame({ beat, results: [], ...frame });
  }

  /** Closes the stream of an instance. */
  fail(url: string): void {
    const handlers = this.#open.get(url);
    this.#open.delete(url);
    handlers?.onClose();
  }
}

/** Runs a function in a later microtask, also with fake timers. */
const soon = (run: () => void): void => void Promise.resolve().then(run);
