import type { Node } from '../syntax/node.ts';
import { parentOf, type Code, type Frame } from '../values/frame.ts';
import { Thunk } from '../values/thunk.ts';
import type { Context, LazyCode } from './context.ts';

type VariableNode = Extract<Node, { kind: 'variable' }>;

/** A variable: its slot is found by counting frames outwards. */
export function variableCode(node: VariableNode, context: Context): Code {
  const meaning = context.lookUp(node);
  if (meaning.kind === 'host') return () => meaning.value();
  const { slot } = meaning;
  switch (context.frame.distanceTo(meaning.frame)) {
    case 0:
      return (frame, evaluation) => {
        const value = frame[slot] ?? null;
        return value instanceof Thunk ? value.force(evaluation) : value;
      };
    case 1:
      return (frame, evaluation) => {
        const value = parentOf(frame)[slot] ?? null;
        return value instanceof Thunk ? value.force(evaluation) : value;
      };
    default: {
      const find = outer(context.frame.distanceTo(meaning.frame));
      return (frame, evaluation) => {
        const value = find(frame)[slot] ?? null;
        return value instanceof Thunk ? value.force(evaluation) : value;
      };
    }
  }
}

/** A variable in a late position shares its slot, when that is set already. */
export function variableSlot(node: VariableNode, context: Context): LazyCode | undefined {
  const meaning = context.lookUp(node);
  if (meaning.kind === 'host') return () => meaning.value();
  const { slot } = meaning;
  const distance = context.frame.distanceTo(meaning.frame);
  if (distance === 0) return context.unset.has(slot) ? undefined : (frame) => frame[slot] ?? null;
  if (distance === 1) return (frame) => parentOf(frame)[slot] ?? null;
  const find = outer(distance);
  return (frame) => find(frame)[slot] ?? null;
}

/** The frame so many steps outwards. */
export function outer(distance: number): (frame: Frame) => Frame {
  switch (distance) {
    case 0:
      return (frame) => frame;
    case 1:
      return parentOf;
    case 2:
      return (frame) => parentOf(parentOf(frame));
    case 3:
      return (frame) => parentOf(parentOf(parentOf(frame)));
    default:
      return (frame) => {
        let found = frame;
        for (let left = distance; left > 0; left--) found = parentOf(found);
        return found;
      };
  }
}
