// Sequences that move. What is drawn is how it is in the end, and an animation shows for less than a second how it came to
// that: nothing waits for it, and a click or a key ends it.

const LONGEST = 950; // milliseconds of a sequence
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** The duration of an animation, from its milliseconds; 0 where people want no motion. */
export const natural = (milliseconds) => (STILL.matches ? 0 : milliseconds);

/**
 * Plays sequences, [acts, cues, props]. An act is {on, frames, delay, duration, easing}: `on()` returns the element that moves, or
 * null, and times are in milliseconds. Cues are sounds, [name, milliseconds until it begins]; props are elements that are there until
 * the sequence ends.
 */
export class Drama {
  /** `duration` as `natural`; `sound(cues)` is called with the sounds of a sequence, and returns what silences them. */
  constructor(duration = natural, sound = () => () => {}) {
    Object.assign(this, { duration, sound, playing: new Set(), moving: [] });
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => this.end(), { capture: true });
  }

  /** Play a sequence, beside those that go on, or, with `longer`, in place of one that it begins with, from where that is. */
  play([acts, cues, props = []], longer = false) {
    const [before] = longer ? this.playing : [];
    const seen = before ? (performance.now() - before.begun) / before.pace : 0;
    const length = Math.max(0, ...acts.map(({ delay = 0, duration }) => delay + duration));
    const time = Math.min(LONGEST, this.duration(length));
    const pace = (time || Math.min(LONGEST, length)) / length;
    if (before) this.end();
    const silence = length && !document.hidden ? this.sound(cues.filter(([, at]) => at >= seen).map(([name, at]) => [name, (at - seen) * pace])) : () => {};
    if (!time || document.hidden) {
      for (const each of props) each.remove();
      return;
    }
    const begun = performance.now() - seen * pace;
    const sequence = { begun, time, pace, props, silence, acts: acts.map(({ delay = 0, duration, ...act }) => ({ ...act, delay: delay * pace, duration: duration * pace })) };
    this.playing.add(sequence);
    sequence.ending = setTimeout(() => this.remove(sequence), begun + time - performance.now());
    this.drawn();
  }

  /** Milliseconds until all that is played has ended. */
  left() {
    return Math.max(0, ...[...this.playing].map(({ begun, time }) => begun + time - performance.now()));
  }

  /** Go on with what is played, once elements have been drawn anew. */
  drawn() {
    for (const each of this.moving) each.cancel();
    this.moving = [...this.playing].flatMap(({ begun, acts }) => acts.flatMap(({ on, frames, ...timing }) => {
      const moving = on()?.animate(frames, { fill: "backwards", ...timing });
      if (moving) moving.currentTime = performance.now() - begun;
      return moving ?? [];
    }));
  }

  remove(sequence) {
    clearTimeout(sequence.ending);
    this.playing.delete(sequence);
    for (const each of sequence.props) each.remove();
  }

  end() {
    for (const sequence of this.playing) {
      sequence.silence();
      this.remove(sequence);
    }
    this.drawn();
  }
}
