import cliProgress from 'cli-progress';
import type { Terminal } from '../terminal.ts';
import { printable } from '../printable.ts';
import { say } from '../print.ts';
import type { OutgoingEvent } from './outgoing-event.ts';
import type { Sent } from './post-event.ts';

/** Shows how far sending is, and the first events that failed. */
export interface SendProgress {
  readonly read: (bytes: number) => void;
  readonly sent: (event: OutgoingEvent, sent: Sent) => void;
  readonly end: () => void;
}

const shownFailures = 10;

/** A bar over the bytes of the files when they are known, else a count; nothing moves when nobody watches. */
export function showProgress(terminal: Terminal, totalBytes: number | undefined): SendProgress {
  const bar = new cliProgress.SingleBar({
    stream: terminal.stderr,
    format:
      totalBytes === undefined ? '{events} events' : '{bar} {percentage}% | {events} events | {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    gracefulExit: false,
    clearOnComplete: true,
  });
  if (terminal.interactive) bar.start(totalBytes ?? 1, 0, { events: 0 });
  let events = 0;
  let failures = 0;
  let bytes = 0;
  return {
    read: (count) => {
      bytes += count;
    },
    sent: ({ place }, sent) => {
      events += 1;
      if (terminal.interactive) bar.update(totalBytes === undefined ? 0 : Math.min(bytes, totalBytes), { events });
      if (sent.kind === 'accepted') return;
      failures += 1;
      if (failures > shownFailures) return;
      if (terminal.interactive) terminal.stderr.write('\r\u001b[K');
      say(terminal, `${printable(place)}: ${describe(sent)}`);
      if (failures === shownFailures) say(terminal, 'Further failures are only counted.');
    },
    end: () => bar.stop(),
  };
}

function describe(sent: Exclude<Sent, { kind: 'accepted' }>): string {
  switch (sent.kind) {
    case 'refused':
      return `refused with ${sent.status}: ${printable(sent.reason)}`;
    case 'unanswered':
      return `no answer, it may have been accepted or not: ${printable(sent.reason)}`;
    case 'unreachable':
      return `not sent: ${printable(sent.reason)}`;
    default:
      return sent satisfies never;
  }
}
