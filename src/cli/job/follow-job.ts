import { setTimeout as sleep } from 'node:timers/promises';
import type { JobEventShape, JobShape } from '../api-shapes.ts';
import type { CommandContext } from '../command-context.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { say } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import type { JobClient } from './job-client.ts';

const firstPollMs = 100;
const slowestPollMs = 1000;

export interface Following {
  readonly jobs: JobClient;
  readonly options: { readonly dataDir?: string };
  /** Shows a line of the log. */
  readonly tell: (event: JobEventShape) => void;
}

/** Shows the log of a job as it is written, until the job has ended; who leaves before is told how to end it. */
export async function followJob(context: CommandContext, job: JobShape, following: Following): Promise<JobShape> {
  const { terminal, signal } = context;
  let seen = job;
  try {
    const text = (): string => `Job ${job.id}: ${seen.phase}`;
    return await waitFor(terminal, text, untilEnded(context, { ...following, job, see: (now) => (seen = now) }));
  } catch (thrown) {
    if (signal.aborted) {
      const lines = new PasteLines(pastePlace(context, following.options));
      const ways = `To end it: ${lines.killJob(job.id)}\nTo see its log: ${lines.followJob(job.id)}`;
      say(terminal, `Job ${job.id} goes on. ${ways}`);
    }
    throw thrown;
  }
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
    if (terminal.interactive && events.length > 0) terminal.stderr.write('\r\u001b[K');
    for (const event of events) tell(event);
    lastId = events.at(-1)?.id ?? lastId;
    see(now);
    if (now.isFinished) return now;
    await sleep(waitMs, undefined, { signal });
  }
}
