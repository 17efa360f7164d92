import { parentPort, workerData } from 'node:worker_threads';
import { showTest } from '../../api/show-test.ts';
import { runOutcomes } from '../../control/trials/run-outcomes.ts';
import { tryLetters } from '../../control/trials/try-letters.ts';
import { runTest, type TestedCell } from '../../control/trials/run-test.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { remapLetters, type RemappedLetters } from '../../mapping/remap-letters.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { FromTrial, TrialAnswer, TrialJob, TrialSpec } from './trial-messages.ts';

/** The life of the thread: one job after the other, until it is ended. */
export function serveTrials(): void {
  const port = parentPort;
  if (port === null) throw new MillraceError('internal.bug', 'the thread of trials needs a parent');
  const { templates: limits, cells } = workerData as TrialSpec;
  const templates = createTemplates(limits);
  const say = (message: FromTrial): void => port.postMessage(message);
  port.on('message', (job: TrialJob) => {
    say({ kind: 'begun' });
    try {
      say({ kind: 'done', answer: run(job, { templates, cells }) });
    } catch (thrown) {
      const { code, message } = MillraceError.fromUnknown(thrown);
      say({ kind: 'failed', code, message });
    }
  });
}

interface Tools {
  readonly templates: TemplateCompiler;
  readonly cells: Int32Array;
}

/** Letters are mapped for so long; the rest of them comes again. */
const remapMs = 5000;

function run(job: TrialJob, tools: Tools): TrialAnswer {
  switch (job.kind) {
    case 'check':
      compileMapping(job.mapping, tools).release();
      return {};
    case 'test':
      return { shown: showTest(runTest(job.test, { ...tools, onCell: timedCells(tools.cells) }), job.test) };
    case 'outcomes':
      return { outcomes: runOutcomes(job.test, tools) };
    case 'letters':
      return { letters: tryLetters(job.mapping, job.letters, tools) };
    case 'remap':
      return { remapped: remap(job, tools) };
    default:
      return job satisfies never;
  }
}

function remap({ mapping, letters }: Extract<TrialJob, { kind: 'remap' }>, tools: Tools): RemappedLetters {
  const until = performance.now() + remapMs;
  const compiled = compileMapping(mapping, tools);
  try {
    return remapLetters(letters, compiled, () => performance.now() > until);
  } finally {
    compiled.release();
  }
}

/** Keeps in `cells` which cell is being made, and which one took longest. */
function timedCells(cells: Int32Array): (cell: TestedCell) => void {
  cells.fill(-1);
  let longestMs = 0;
  let began = performance.now();
  return ({ sink, column }) => {
    const now = performance.now();
    if (now - began > longestMs && (cells[0] ?? -1) >= 0) {
      longestMs = now - began;
      cells.copyWithin(2, 0, 2);
    }
    began = now;
    cells.set([sink, column]);
  };
}
