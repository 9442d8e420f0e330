import { VOICE_MAX_SECONDS } from "@messageoh/contracts/attachments";
import { recordedType } from "./recordedType.ts";
import { waveOf } from "./wave.ts";

const BITS_PER_SECOND = 32_000;
/** Time that one level stands for. */
const LEVEL_SECONDS = 0.1;
/** Interval in which the recorder gives its bytes. */
const PART_MS = 1_000;

/** What was recorded. */
export interface Recorded {
  content: Blob;
  /** Media type without the codec. */
  type: string;
  seconds: number;
  wave: string;
}

export interface Recording {
  seconds: () => number;
  /** Loudness from 0 to 1, ten per second. */
  levels: readonly number[];
  isPaused: () => boolean;
  /** The time is over, or the microphone is gone: it cannot go on. */
  isOver: () => boolean;
  pause: () => void;
  resume: () => void;
  /** Ends it and gives the microphone back. Also call it to throw the recording away. */
  finish: () => Promise<Recorded>;
}

/**
 * Asks for the microphone and records. Rejects like `getUserMedia`.
 * @param onChange called ten times per second, and when the state changes
 */
export async function startRecording(onChange: () => void): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = recordedType();
  const recorder = new MediaRecorder(stream, { ...(mimeType && { mimeType }), audioBitsPerSecond: BITS_PER_SECOND });
  const meter = createMeter(stream);
  const parts: Blob[] = [];
  const levels: number[] = [];
  /** Time that was recorded before `since`, and when the current part began. In milliseconds. */
  let [before, since] = [0, Number.POSITIVE_INFINITY];
  let isOver = false;

  const isPaused = () => recorder.state !== "recording";
  const seconds = () => (before + (isPaused() ? 0 : Math.max(0, performance.now() - since))) / 1_000;

  function measure(): void {
    // A hidden page has fewer ticks.
    const level = meter.level();
    while (levels.length * LEVEL_SECONDS < seconds()) levels.push(level);
  }

  function pause(): void {
    if (isPaused()) return;
    measure();
    before = seconds() * 1_000;
    recorder.pause();
    onChange();
  }

  function tick(): void {
    if (isPaused()) return;
    measure();
    isOver ||= seconds() >= VOICE_MAX_SECONDS;
    if (isOver) pause();
    else onChange();
  }
  const timer = setInterval(tick, LEVEL_SECONDS * 1_000);

  // The microphone of a busy machine can take a second to begin.
  recorder.addEventListener("start", () => {
    since = performance.now();
  });
  recorder.addEventListener("dataavailable", ({ data }) => void parts.push(data));
  const stopped = new Promise<void>((resolve) => recorder.addEventListener("stop", () => resolve(), { once: true }));
  for (const track of stream.getTracks()) {
    track.addEventListener("ended", () => {
      isOver = true;
      pause();
    });
  }
  recorder.start(PART_MS);

  return {
    seconds,
    levels,
    isPaused,
    isOver: () => isOver,
    pause,
    resume(): void {
      if (isOver || recorder.state !== "paused") return;
      since = performance.now();
      recorder.resume();
      onChange();
    },
    async finish(): Promise<Recorded> {
      pause();
      clearInterval(timer);
      if (recorder.state !== "inactive") recorder.stop();
      await stopped;
      for (const track of stream.getTracks()) track.stop();
      meter.close();
      const type = recorder.mimeType.split(";")[0] ?? "";
      const content = new Blob(parts, { type });
      return { content, type, seconds: Math.max(0.1, Math.round(before / 100) / 10), wave: waveOf(levels) };
    },
  };
}

/** Returns a meter of the loudness of a stream. */
function createMeter(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  void context.resume();
  const samples = new Float32Array(analyser.fftSize);
  return {
    level(): number {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((most, sample) => Math.max(most, Math.min(1, Math.abs(sample))), 0);
    },
    close: () => void context.close(),
  };
}
