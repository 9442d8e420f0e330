/** Loads the recorder of voice messages, which works without a network. */
export const loadRecorder = () => import("./Recorder.tsx");
