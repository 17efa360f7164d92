import { isCancellation, MillraceError } from '../../../core/millrace-error.ts';
import type { Step } from './plan.ts';
import { doingText, doneText } from './step-text.ts';

export interface StepRunner {
  readonly take: (step: Step) => Promise<void>;
  readonly onDone: (step: Step) => void;
}

/**
 * Takes the steps one after the other. The first that fails ends it: the error, of the same code, says what failed and
 * why, what was done and what was not.
 */
export async function runSteps(steps: readonly Step[], { take, onDone }: StepRunner): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await take(step);
    } catch (thrown) {
      if (isCancellation(thrown)) throw thrown;
      throw halfWay(steps, { index, step, thrown });
    }
    onDone(step);
  }
}

interface Failure {
  readonly index: number;
  readonly step: Step;
  readonly thrown: unknown;
}

function halfWay(steps: readonly Step[], { index, step, thrown }: Failure): MillraceError {
  const { code, message } = MillraceError.fromUnknown(thrown);
  const text = [
    `${doingText(step)} failed: ${message}`,
    `Done: ${index === 0 ? 'nothing' : listed(steps.slice(0, index))}.`,
    `Not done: ${listed(steps.slice(index))}.`,
    'Run it again when the reason is gone: it goes on with what is left.',
  ];
  return new MillraceError(code, text.join('\n'), { cause: thrown });
}

function listed(steps: readonly Step[]): string {
  return steps.map(doneText).join('; ');
}
