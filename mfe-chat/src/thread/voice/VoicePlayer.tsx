import { lengthLabel } from "@messageoh/contracts/attachments";
import { Icon } from "@messageoh/ui-kit/basics/Icon";
import * as icons from "@messageoh/ui-kit/basics/icons";
import { readingDirection } from "@messageoh/ui-kit/basics/readingDirection";
import { type KeyboardEvent, type ReactElement, useMemo, useRef, useSyncExternalStore } from "react";
import { useChat } from "../../useChat.ts";
import { playback } from "./playback.ts";
import type { Track } from "./tracks.ts";
import css from "./VoicePlayer.module.css";
import { Wave } from "./Wave.tsx";
import { barsOf } from "./wave.ts";

/** Share of a voice message that an arrow key moves the position by, and the least in seconds. */
const STEP_SHARE = 0.05;
const STEP_MIN_SECONDS = 1;

export interface VoicePlayerProps {
  track: Track;
  tabIndex: 0 | -1;
}

/** Renders a voice message: its button, its wave, which is the control of the position, its time and its speed. */
export function VoicePlayer({ track, tabIndex }: VoicePlayerProps): ReactElement {
  const chat = useChat();
  const row = useRef<HTMLDivElement>(null);
  const { key, file } = track;
  const { seconds = 0, wave = "" } = file;
  const { isPlaying, position, isFailed, speed } = useSyncExternalStore(playback.subscribe, () =>
    playback.stateOf(key),
  );
  const bars = useMemo(() => barsOf(wave), [wave]);
  const length = lengthLabel(seconds);
  const place = () => ({ chat, row: row.current ?? document.body });
  const seek = (to: number) => playback.seek(track, place(), Math.min(seconds, Math.max(0, to)));

  function handleKeyDown(event: KeyboardEvent): void {
    const isUp = event.key === "ArrowUp" || event.key === (readingDirection() === 1 ? "ArrowRight" : "ArrowLeft");
    if (!isUp && !["ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    seek(position + (isUp ? 1 : -1) * Math.max(STEP_MIN_SECONDS, STEP_SHARE * seconds));
  }

  return (
    <div ref={row} className={css.player}>
      <button
        type="button"
        className={css.play}
        aria-label={isPlaying ? "Pause" : `Play voice message, ${length}`}
        tabIndex={tabIndex}
        onClick={() => playback.toggle(track, place())}
      >
        <Icon icon={isPlaying ? icons.pause : icons.play} />
      </button>
      <div className={css.middle}>
        <div className={css.wave}>
          <Wave bars={bars} share={seconds > 0 ? position / seconds : 0} />
          <input
            type="range"
            className={css.position}
            aria-label="Position"
            aria-valuetext={`${lengthLabel(position)} of ${length}`}
            min={0}
            max={seconds}
            step="any"
            value={Math.min(seconds, position)}
            tabIndex={tabIndex}
            onChange={(event) => seek(Number(event.target.value))}
            onKeyDown={handleKeyDown}
          />
        </div>
        <span className={css.time} dir="ltr" role={isFailed ? "alert" : undefined}>
          {isFailed ? "It could not be played." : position > 0 ? `${lengthLabel(position)} / ${length}` : length}
        </span>
      </div>
      <button
        type="button"
        className={css.speed}
        aria-label={`Speed ${speed}×`}
        tabIndex={tabIndex}
        onClick={playback.nextSpeed}
      >
        <span>{speed}×</span>
      </button>
    </div>
  );
}
