/** A microphone and a recorder, which jsdom lacks. */
export interface FakeMicrophone {
  /** Loudness of the next sample, from 0 to 1. */
  level: number;
  /** What the recorder hears. */
  sound: string;
  /** Name of the error of a refusal. */
  refusal: string | null;
  /** Whether a page uses the microphone. */
  isOn: () => boolean;
  /** Takes the microphone away. */
  unplug: () => void;
}

class FakeTrack extends EventTarget {
  isOn = true;
  stop(): void {
    this.isOn = false;
  }
}

class FakeRecorder extends EventTarget {
  static isTypeSupported: (type: string) => boolean;
  static sound: () => string;
  state: RecordingState = "inactive";
  mimeType: string;
  constructor(_: unknown, { mimeType = "" }: MediaRecorderOptions) {
    super();
    this.mimeType = mimeType;
  }
  start(): void {
    this.state = "recording";
    this.dispatchEvent(new Event("start"));
  }
  pause(): void {
    this.state = "paused";
  }
  resume(): void {
    this.state = "recording";
  }
  stop(): void {
    this.state = "inactive";
    this.dispatchEvent(Object.assign(new Event("dataavailable"), { data: new Blob([FakeRecorder.sound()]) }));
    this.dispatchEvent(new Event("stop"));
  }
}

/** Gives the page a microphone until the end of the test. */
export function fakeMicrophone(): FakeMicrophone {
  const tracks: FakeTrack[] = [];
  const microphone: FakeMicrophone = {
    level: 0,
    sound: "sound",
    refusal: null,
    isOn: () => tracks.some(({ isOn }) => isOn),
    unplug: () => tracks.forEach((track) => void track.dispatchEvent(new Event("ended"))),
  };
  const getUserMedia = async () => {
    if (microphone.refusal) throw new DOMException("refused", microphone.refusal);
    const track = new FakeTrack();
    tracks.push(track);
    return { getTracks: () => [track] };
  };
  FakeRecorder.sound = () => microphone.sound;
  FakeRecorder.isTypeSupported = (type) => type.startsWith("audio/webm");
  class FakeContext {
    createAnalyser = () => ({
      fftSize: 4,
      getFloatTimeDomainData: (samples: Float32Array) => samples.fill(-microphone.level),
    });
    createMediaStreamSource = () => ({ connect: () => undefined });
    resume = async () => undefined;
    close = async () => undefined;
  }
  Object.assign(globalThis, { MediaRecorder: FakeRecorder, AudioContext: FakeContext });
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  return microphone;
}
