// Sounds, made of tones and noise.

import { setting } from "./settings.js";

// By name rows of: the wave or noise, hertz at the beginning and at the end, seconds until it begins, seconds that it lasts, loudness.
const SOUNDS = {
  turn: [["sine", 660, 660, 0, 0.14, 0.12], ["sine", 880, 880, 0.14, 0.14, 0.12]],
  card: [["noise", 3200, 1400, 0, 0.07, 0.25]],
  strike: [["noise", 900, 5200, 0, 0.1, 0.2], ["triangle", 1870, 1790, 0.05, 0.3, 0.06], ["triangle", 2630, 2580, 0.05, 0.22, 0.04]],
  dice: [0, 0.07, 0.16, 0.21, 0.3].map((begins) => ["noise", 2100, 1500, begins, 0.035, 0.3]),
  fall: [["triangle", 240, 70, 0, 0.22, 0.14], ["noise", 400, 120, 0.1, 0.12, 0.2]],
  ragnarok: [["sawtooth", 62, 31, 0, 0.85, 0.12], ["noise", 700, 90, 0.05, 0.8, 0.4]],
};
const QUIET = 0.0008; // loudness at the end of a tone

let context = null;
let noise = null; // a second of it

function hiss() {
  const buffer = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let number = 0; number < samples.length; number += 1) samples[number] = 2 * Math.random() - 1;
  return buffer;
}

function tone([wave, from, to, begins, lasts, loudness], at, out) {
  const [start, end] = [at + begins, at + begins + lasts];
  const slides = ({ frequency }) => {
    frequency.setValueAtTime(from, start);
    frequency.exponentialRampToValueAtTime(to, end);
  };
  const source = wave === "noise" ? new AudioBufferSourceNode(context, { buffer: noise ??= hiss() }) : new OscillatorNode(context, { type: wave });
  const filter = wave === "noise" ? new BiquadFilterNode(context, { type: "bandpass" }) : null;
  slides(filter ?? source);
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(loudness, start);
  volume.gain.exponentialRampToValueAtTime(QUIET, end);
  (filter ? source.connect(filter) : source).connect(volume).connect(out);
  source.start(start);
  source.stop(end);
}

/** Play sounds, [name, milliseconds until it begins], if sounds are on and the person has touched the page. Returns what silences them. */
export function playSounds(cues) {
  if (setting("sound") === "off" || !cues.length || !navigator.userActivation?.hasBeenActive) return () => {};
  context ??= new AudioContext();
  const out = new GainNode(context);
  out.connect(context.destination);
  for (const [name, after] of cues) for (const row of SOUNDS[name]) tone(row, context.currentTime + after / 1000, out);
  return () => out.disconnect();
}
