import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import type { ObjectRef } from './declaration.ts';
import type { Step } from './plan.ts';
import { planLanes } from './plan-lanes.ts';
import { doingText, doneText } from './step-text.ts';

export interface StepRunner {
  readonly take: (step: Step) => Promise<void>;
  /** Called in the order of the steps, for each that was done. */
  readonly onDone: (step: Step) => void;
}

interface Failure {
  readonly step: Step;
  readonly thrown: unknown;
}

/** So many steps at a time; each is at least three calls of the API. */
const lanesAtATime = 8;

/**
 * Takes the steps in their order, several sinks that are created in one source side by side. After one that is refused the others go on
 * that do not depend on it; any other failure ends it, once those that run have ended. The error, of the code of the first, says what
 * failed and why, what was done and what was not.
 */
export async function runSteps(steps: readonly Step[], { take, onDone }: StepRunner): Promise<void> {
  const done = new Set<Step>();
  const failures: Failure[] = [];
  let told = 0;
  const tell = (): void => {
    for (let step = steps[told]; step !== undefined && done.has(step); step = steps[told]) {
      onDone(step);
      told += 1;
    }
  };
  const takeLane = async (lane: readonly Step[]): Promise<void> => {
    for (const step of lane) {
      if (failures.some(({ thrown }) => !isRefusal(thrown))) return;
      if (failures.some(({ step: failed }) => dependsOn(step, failed))) continue;
      try {
        await take(step);
      } catch (thrown) {
        failures.push({ step, thrown });
        // The next one of the lane relies on the table that this one makes.
        return;
      }
      done.add(step);
      tell();
    }
  };
  for (const lanes of planLanes(steps)) {
    const waiting = [...lanes];
    const takeLanes = async (): Promise<void> => {
      for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) await takeLane(lane);
    };
    await Promise.all(Array.from({ length: lanesAtATime }, takeLanes));
    if (failures.some(({ thrown }) => !isRefusal(thrown))) break;
  }
  if (failures.length === 0) return;
  for (const step of steps.slice(told)) if (done.has(step)) onDone(step);
  throw endOf(steps, { done, failures });
}

/** The process answers, and does not do this one thing. */
function isRefusal(thrown: unknown): boolean {
  return !isCancellation(thrown) && MillraceError.fromUnknown(thrown).code === 'client.refused';
}

/**
 * What comes after in the same object, in the sinks of a source, and that a source takes events again: its sinks would take them in a form
 * that the files do not name.
 */
function dependsOn({ kind, object }: Step, { object: failed }: Step): boolean {
  if ('componentId' in object || 'componentId' in failed) return isPartOf(object, failed);
  if (object.sourceId !== failed.sourceId) return false;
  const { sinkId } = failed;
  return sinkId === undefined || object.sinkId === sinkId || (object.sinkId === undefined && kind === 'enable');
}

/** What comes after in the same configuration, row or schedule. */
function isPartOf(object: ObjectRef, whole: ObjectRef): boolean {
  if (!('componentId' in object) || !('componentId' in whole)) return false;
  if (object.componentId !== whole.componentId || object.configurationId !== whole.configurationId) return false;
  const isWhole = whole.rowId === undefined && whole.part === undefined;
  return isWhole || (object.rowId === whole.rowId && object.part === whole.part);
}

interface End {
  readonly done: ReadonlySet<Step>;
  readonly failures: readonly Failure[];
}

function endOf(steps: readonly Step[], { done, failures }: End): unknown {
  const cancelled = failures.find(({ thrown }) => isCancellation(thrown));
  if (cancelled !== undefined) return cancelled.thrown;
  const [first] = failures;
  const text = [
    ...failureLines(steps, failures),
    `Done: ${listed(steps.filter((step) => done.has(step)))}.`,
    `Not done: ${listed(steps.filter((step) => !done.has(step)))}.`,
    'Run it again when the reason is gone: it goes on with what is left.',
  ];
  return new MillraceError(MillraceError.fromUnknown(first?.thrown).code, text.join('\n'), { cause: first?.thrown });
}

/** A line a reason, in the order of the steps. */
function failureLines(steps: readonly Step[], failures: readonly Failure[]): readonly string[] {
  const ordered = failures.toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
  const reasons = Map.groupBy(ordered, ({ thrown }) => MillraceError.fromUnknown(thrown).message);
  return [...reasons].map(
    ([reason, failed]) => `${failed.map(({ step }) => doingText(step)).join('; ')} failed: ${reason}`,
  );
}

function listed(steps: readonly Step[]): string {
  return steps.length === 0 ? 'nothing' : steps.map(doneText).join('; ');
}
