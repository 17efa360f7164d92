import type { Evaluation } from '../evaluation.ts';
import type { Slot, Value } from './value.ts';

/** The variables of one scope: entry 0 is the frame around it (see `parentOf`), the others are slots. */
export type Frame = Slot[];

/** A compiled expression. */
export type Code = (frame: Frame, evaluation: Evaluation) => Value;

/** Frames of up to so many entries are a part of the step that makes them. */
export const smallFrame = 5;

/** A frame of `size` entries, entry 0 included. Entries are `null` until they are set. */
export function makeFrame(parent: Frame, size: number): Frame {
  switch (size) {
    case 1:
      return [parent];
    case 2:
      return [parent, null];
    case 3:
      return [parent, null, null];
    case 4:
      return [parent, null, null, null];
    case 5:
      return [parent, null, null, null, null];
    case 6:
      return [parent, null, null, null, null, null];
    case 7:
      return [parent, null, null, null, null, null, null];
    default: {
      const frame: Frame = [parent, null, null, null, null, null, null, null];
      for (let index = 8; index < size; index++) frame.push(null);
      return frame;
    }
  }
}

/** Entry 0 is always a frame: only `makeFrame` and the calls of functions make frames. */
export function parentOf(frame: Frame): Frame {
  return frame[0] as Frame;
}
