import type { ReactElement } from "react";
import css from "./Wave.module.css";
import { WAVE_HEIGHT, wavePath, waveWidth } from "./wave.ts";

export interface WaveProps {
  /** Heights from 0 to 1. */
  bars: readonly number[];
  /** Share of the bars that is emphasised, from 0 to 1. */
  share?: number;
}

/** Renders the loudness of a recording over time. */
export function Wave({ bars, share = 1 }: WaveProps): ReactElement {
  const path = wavePath(bars);
  return (
    <svg
      className={css.wave}
      viewBox={`0 0 ${waveWidth(bars.length)} ${WAVE_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={css.rest} d={path} />
      <path d={path} style={{ clipPath: `inset(0 ${100 * (1 - share)}% 0 0)` }} />
    </svg>
  );
}
