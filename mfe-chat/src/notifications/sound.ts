const NOTES_HZ = [659, 880];
const NOTE_S = 0.12;
const LOUDNESS = 0.04;
let context: AudioContext | undefined;

/** Plays two quiet notes. Browsers keep a page silent that the user has not used yet. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext();
  await context.resume();
  for (const [index, frequency] of NOTES_HZ.entries()) {
    const startsAt = context.currentTime + index * NOTE_S;
    const [note, gain] = [new OscillatorNode(context, { frequency }), new GainNode(context, { gain: 0 })];
    gain.gain.setTargetAtTime(LOUDNESS, startsAt, 0.01);
    gain.gain.setTargetAtTime(0, startsAt + NOTE_S, 0.04);
    note.connect(gain).connect(context.destination);
    note.start(startsAt);
    note.stop(startsAt + 3 * NOTE_S);
  }
}
