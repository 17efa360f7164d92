import { setTimeout as sleep } from 'node:timers/promises';
import type { JobEventShape, JobShape } from '../api-shapes.ts';
import type { CommandContext } from '../command-context.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { canAsk, confirm } from '../confirm.ts';
import { say } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { waitFor } from '../wait-for.ts';
import type { JobClient } from './job-client.ts';
import { soFarOf } from './print-job.ts';

const firstPollMs = 100;
const slowestPollMs = 1000;

export interface Following {
  readonly jobs: JobClient;
  readonly options: { readonly dataDir?: string };
  /** Shows a line of the log. */
  readonly tell: (event: JobEventShape) => void;
  /** Asks for the end of the job: whoever leaves who has asked for it is asked whether it is to end, too. */
  readonly kill?: () => Promise<void>;
}

/**
 * Shows the log of a job as it is written and how far it is, until the job has ended. The job goes on when a person leaves before who does
 * not say that it is to end; who leaves is told how to end it.
 */
export async function followJob(context: CommandContext, job: JobShape, following: Following): Promise<JobShape> {
  const { terminal, signal } = context;
  let seen = job;
  const see = (now: JobShape): void => {
    if (now.heldUp !== null && now.heldUp !== seen.heldUp) tellAside(terminal, `warning: ${now.heldUp}`);
    seen = now;
  };
  if (job.heldUp !== null) tellAside(terminal, `warning: ${job.heldUp}`);
  try {
    const text = (): string => [`Job ${job.id}: ${seen.phase}`, ...soFarOf(seen)].join(', ');
    return await waitFor(terminal, text, untilEnded(context, { ...following, job, see }));
  } catch (thrown) {
    if (signal.aborted) await leave(context, job, following);
    throw thrown;
  }
}

async function leave(context: CommandContext, { id }: JobShape, { options, kill }: Following): Promise<void> {
  const { terminal } = context;
  if (kill !== undefined && canAsk(terminal)) {
    // Whoever interrupts the question leaves at once, and the job goes on.
    const { signal } = new AbortController();
    if (await confirm(terminal, `Job ${id} goes on without you. End it?`, signal)) {
      await kill();
      return say(terminal, `Job ${id} was asked to end.`);
    }
  }
  const lines = new PasteLines(pastePlace(context, options));
  say(terminal, `Job ${id} goes on. To end it: ${lines.killJob(id)}\nTo see its log: ${lines.followJob(id)}`);
}

/** The line that moves is not left standing in the middle of what is told. */
function clearLine({ interactive, stderr }: Terminal): void {
  if (interactive) stderr.write('\r\u001b[K');
}

function tellAside(terminal: Terminal, text: string): void {
  clearLine(terminal);
  say(terminal, text);
}

interface Watching extends Following {
  readonly job: JobShape;
  readonly see: (job: JobShape) => void;
}

async function untilEnded({ terminal, signal }: CommandContext, { jobs, job, tell, see }: Watching): Promise<JobShape> {
  let lastId: string | undefined;
  for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 1.5, slowestPollMs)) {
    // What is in the log when the job has ended is all of it.
    const now = await jobs.get(job.id);
    const events = await jobs.eventsSince(job.runId, lastId);
    if (events.length > 0) clearLine(terminal);
    for (const event of events) tell(event);
    lastId = events.at(-1)?.id ?? lastId;
    see(now);
    if (now.isFinished) return now;
    await sleep(waitMs, undefined, { signal });
  }
}
