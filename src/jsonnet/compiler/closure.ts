import type { Evaluation } from '../evaluation.ts';
import { bindArguments } from '../values/bind-arguments.ts';
import { makeFrame, smallFrame, type Code, type Frame } from '../values/frame.ts';
import { FunctionValue, type NamedSlots, type Parameter } from '../values/function-value.ts';
import type { Slot, Value } from '../values/value.ts';
import type { LazyCode } from './context.ts';
import type { FrameLayout } from './frame-layout.ts';

/** What all closures of one function of the text share. Parameters have the slots from 1 on. */
export interface FunctionTemplate {
  readonly parameters: readonly Parameter[];
  /** Computed in the frame of the call. */
  readonly fallbacks: readonly (LazyCode | undefined)[];
  readonly layout: FrameLayout;
  /** The value, or `tailCall` when the body left a call to whoever called. */
  readonly body: Code;
  /** The value. */
  readonly run: Code;
}

/** A function of the text and the frame it was made in. */
export class Closure extends FunctionValue {
  readonly template: FunctionTemplate;
  readonly frame: Frame;

  constructor(template: FunctionTemplate, frame: Frame) {
    super();
    this.template = template;
    this.frame = frame;
  }

  get parameters(): readonly Parameter[] {
    return this.template.parameters;
  }

  apply(args: readonly Slot[], evaluation: Evaluation): Value {
    return this.runIn(this.bind(args, [], evaluation), evaluation);
  }

  override apply1(argument: Slot, evaluation: Evaluation): Value {
    if (this.template.parameters.length !== 1) return this.apply([argument], evaluation);
    const frame = this.newFrame();
    frame[1] = argument;
    return this.runIn(frame, evaluation);
  }

  override apply2(first: Slot, second: Slot, evaluation: Evaluation): Value {
    if (this.template.parameters.length !== 2) return this.apply([first, second], evaluation);
    const frame = this.newFrame();
    frame[1] = first;
    frame[2] = second;
    return this.runIn(frame, evaluation);
  }

  applyNamed(args: readonly Slot[], named: NamedSlots, evaluation: Evaluation): Value {
    return this.runIn(this.bind(args, named, evaluation), evaluation);
  }

  /** Runs the body in a frame that `newFrame` or `bind` made. */
  runIn(frame: Frame, evaluation: Evaluation): Value {
    evaluation.enter();
    if (frame.length > smallFrame) evaluation.steps(frame.length);
    const value = this.template.run(frame, evaluation);
    evaluation.leave();
    return value;
  }

  /** A frame without its arguments. */
  newFrame(): Frame {
    return makeFrame(this.frame, this.template.layout.size);
  }

  /** A frame with its arguments and defaults. */
  bind(args: readonly Slot[], named: NamedSlots, evaluation: Evaluation): Frame {
    const { parameters } = this.template;
    const frame = this.newFrame();
    if (named.length === 0 && args.length === parameters.length) {
      for (let index = 0; index < args.length; index++) frame[index + 1] = args[index] ?? null;
      return frame;
    }
    const bound = bindArguments(parameters, { positional: args, named }, evaluation);
    bound.forEach((slot, index) => {
      if (slot !== undefined) frame[index + 1] = slot;
    });
    // Defaults see all parameters, so they are made when the arguments are there.
    bound.forEach((slot, index) => {
      if (slot === undefined) frame[index + 1] = this.template.fallbacks[index]?.(frame, evaluation) ?? null;
    });
    return frame;
  }
}
