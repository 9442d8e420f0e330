/** Gives jsdom's media elements a position and the events of a player. Nothing is heard. */
export function fakePlayer(canPlay = (_type: string): boolean => true): void {
  const prototype = HTMLMediaElement.prototype;
  const positions = new WeakMap<HTMLMediaElement, number>();
  const playing = new WeakSet<HTMLMediaElement>();
  Object.defineProperty(prototype, "currentTime", {
    configurable: true,
    get(this: HTMLMediaElement) {
      return positions.get(this) ?? 0;
    },
    set(this: HTMLMediaElement, position: number) {
      positions.set(this, position);
    },
  });
  Object.defineProperty(prototype, "paused", {
    configurable: true,
    get(this: HTMLMediaElement) {
      return !playing.has(this);
    },
  });
  Object.assign(prototype, {
    canPlayType: (type: string) => (canPlay(type) ? "maybe" : ""),
    load: () => undefined,
    async play(this: HTMLMediaElement) {
      playing.add(this);
      this.dispatchEvent(new Event("play"));
      this.dispatchEvent(new Event("playing"));
    },
    pause(this: HTMLMediaElement) {
      if (playing.delete(this)) this.dispatchEvent(new Event("pause"));
    },
  });
}
