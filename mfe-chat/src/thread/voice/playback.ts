import type { Chat } from "../../createChat.ts";
import { mediaUrl } from "../../links/mediaUrl.ts";
import { isThere } from "../../state/thread/isThere.ts";
import { type Track, trackAfter } from "./tracks.ts";

const SPEEDS = [1, 1.5, 2];

interface Playback {
  isPlaying: boolean;
  /** In seconds. */
  position: number;
  /** The browser could not load or decode it. */
  isFailed: boolean;
  /** Of all voice messages until the page is closed. */
  speed: number;
}

type Sources = Pick<Chat, "store" | "files" | "onStop">;

/**
 * Where a track is played: the player is a part of the thread's pane, so the browser stops it when the pane disappears.
 */
export interface Place {
  chat: Sources;
  row: Element;
}

const IDLE: Playback = { isPlaying: false, position: 0, isFailed: false, speed: 1 };

const audio = document.createElement("audio");
const listeners = new Set<() => void>();
let track: Track | null = null;
let sources: Sources | null = null;
let current = IDLE;
/** State of the other tracks. */
let idle = IDLE;
let localUrl = "";
let unsubscribe: (() => void) | null = null;

function change(parts: Partial<Playback>): void {
  current = { ...current, ...parts };
  if (idle.speed !== current.speed) idle = { ...IDLE, speed: current.speed };
  for (const listener of listeners) listener();
}

/** Loads a track, and plays it. */
async function load(next: Track, { chat, row }: Place, position: number, isPlaying: boolean): Promise<void> {
  track = next;
  sources = chat;
  unsubscribe?.();
  unsubscribe = chat.store.subscribe(stopIfGone);
  chat.onStop(forget);
  const pane = row.closest("section") ?? document.body;
  if (audio.parentElement !== pane) pane.append(audio);
  audio.pause();
  change({ isPlaying, position, isFailed: false });
  const src = await sourceOf(next);
  if (track !== next) return;
  audio.src = src;
  audio.defaultPlaybackRate = current.speed;
  audio.playbackRate = current.speed;
  audio.currentTime = position;
  if (isPlaying) play();
}

async function sourceOf({ file: { id, fileKey } }: Track): Promise<string> {
  URL.revokeObjectURL(localUrl);
  localUrl = "";
  if (fileKey === undefined) return mediaUrl(id ?? "", "view");
  const bytes = await sources?.files.get(fileKey);
  localUrl = bytes ? URL.createObjectURL(bytes) : "";
  return localUrl || mediaUrl(id ?? "", "view");
}

/** Stops a message that was deleted, hidden or cancelled: it has no row any more that could stop it. */
function stopIfGone(): void {
  const thread = track && sources?.store.get().threads.get(track.threadId);
  if (!track || !thread || isThere(thread, track.message)) return;
  track = null;
  audio.pause();
}

/** Keeps nothing of a chat that has stopped: another user may log in. */
function forget(): void {
  audio.pause();
  audio.removeAttribute("src");
  audio.load();
  URL.revokeObjectURL(localUrl);
  localUrl = "";
  unsubscribe?.();
  unsubscribe = track = sources = null;
}

function play(): void {
  const played = track;
  audio.play().catch((error: Error) => {
    if (played !== track || error.name === "AbortError") return;
    change({ isPlaying: false, isFailed: error.name !== "NotAllowedError" });
  });
}

audio.addEventListener("playing", () => change({ isPlaying: true, isFailed: false }));
audio.addEventListener("pause", () => change({ isPlaying: false }));
audio.addEventListener("timeupdate", () => {
  if (!audio.ended) change({ position: audio.currentTime });
});
audio.addEventListener("error", () => change({ isPlaying: false, isFailed: true }));
audio.addEventListener("ended", () => {
  change({ isPlaying: false, position: 0 });
  const thread = track && sources?.store.get().threads.get(track.threadId);
  const next = thread && track ? trackAfter(thread, track.key) : undefined;
  if (next && sources) void load(next, { chat: sources, row: audio }, 0, true);
});

/** The player of voice messages. It plays one at a time, and then the next one of the thread. */
export const playback = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  stateOf: (key: string): Playback => (track?.key === key ? current : idle),
  toggle(wanted: Track, place: Place): void {
    if (track?.key !== wanted.key || current.isFailed || !audio.isConnected) {
      const { position } = track?.key === wanted.key ? current : IDLE;
      void load(wanted, place, position, true);
    } else if (current.isPlaying) audio.pause();
    else play();
  },
  seek(wanted: Track, place: Place, position: number): void {
    if (track?.key !== wanted.key) return void load(wanted, place, position, false);
    audio.currentTime = position;
    change({ position });
  },
  nextSpeed(): void {
    const speed = SPEEDS[(SPEEDS.indexOf(current.speed) + 1) % SPEEDS.length] ?? 1;
    audio.defaultPlaybackRate = speed;
    audio.playbackRate = speed;
    change({ speed });
  },
};

// Only one video or sound plays at a time.
document.addEventListener(
  "play",
  ({ target }) => {
    for (const other of document.querySelectorAll<HTMLMediaElement>("audio, video")) {
      if (other !== target) other.pause();
    }
  },
  true,
);
