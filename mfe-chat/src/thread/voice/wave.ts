import { WAVE_BARS } from "@messageoh/contracts/attachments";

const BYTE_MAX = 255;
/** Level up to which a recording counts as silent, so that its noise is not shown as loud. */
const SILENT = 0.02;

/**
 * Returns the wave of a recording in base64: the loudest level of each of {@link WAVE_BARS} equal parts, relative to
 * the loudest of all.
 * @param levels from 0 to 1
 */
export function waveOf(levels: readonly number[]): string {
  const loudest = levels.reduce((most, level) => Math.max(most, level), SILENT);
  const bars = Array.from({ length: WAVE_BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / WAVE_BARS);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / WAVE_BARS));
    return Math.round((BYTE_MAX * Math.max(0, ...levels.slice(from, to))) / loudest);
  });
  return btoa(String.fromCharCode(...bars));
}

/** Returns the heights of a wave, from 0 to 1. One that is damaged is flat. */
export function barsOf(wave: string): number[] {
  try {
    return Array.from(atob(wave).slice(0, WAVE_BARS), (character) => character.charCodeAt(0) / BYTE_MAX);
  } catch {
    return [];
  }
}

const BAR_PX = 4;
export const WAVE_HEIGHT = 32;
/** Height of silence. */
const FLAT_PX = 2;

/** Returns the drawing of bars in the order of reading, {@link waveWidth} wide and {@link WAVE_HEIGHT} high. */
export const wavePath = (bars: readonly number[]): string =>
  bars
    .map((height, index) => {
      const half = Math.max(FLAT_PX, height * WAVE_HEIGHT) / 2;
      return `M${(index + 0.5) * BAR_PX} ${WAVE_HEIGHT / 2 - half}v${2 * half}`;
    })
    .join("");

export const waveWidth = (bars: number): number => bars * BAR_PX;
