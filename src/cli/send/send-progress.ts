import cliProgress from 'cli-progress';
import type { Terminal } from '../terminal.ts';
import { printable } from '../printable.ts';
import { say } from '../print.ts';
import { placeOf, type OutgoingEvent } from './outgoing-event.ts';
import type { Sent } from './sent.ts';

/** Shows how far sending is, and the first events that failed. */
export interface SendProgress {
  readonly sent: (events: readonly OutgoingEvent[], sent: Sent) => void;
  /** So much more of the input is done. */
  readonly done: (bytes: number) => void;
  /** Something is about to wait before it is sent again. */
  readonly waits: (sent: Sent) => void;
  readonly end: () => void;
}

const shownFailures = 10;
/** What took longer is told with its rate. */
const longMs = 1000;

/** A bar over the bytes of the files when they are known, else a count; nothing moves when nobody watches. */
export function showProgress(terminal: Terminal, totalBytes: number | undefined): SendProgress {
  const { interactive } = terminal;
  const counted = '{events} events, {rate}/s';
  const bar = new cliProgress.SingleBar({
    stream: terminal.stderr,
    format: totalBytes === undefined ? counted : `{bar} {percentage}% | ${counted} | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    gracefulExit: false,
    clearOnComplete: true,
    etaBuffer: 200,
  });
  if (interactive) bar.start(totalBytes ?? 1, 0, { events: 0, rate: 0 });
  const began = performance.now();
  let [events, failures, bytes] = [0, 0, 0];
  let hasWaited = false;
  const rate = (): number => Math.round(events / Math.max((performance.now() - began) / 1000, 0.001));
  const tell = (line: string): void => {
    if (interactive) terminal.stderr.write('\r\u001b[K');
    say(terminal, line);
  };
  return {
    sent: (ended, sent) => {
      events += ended.length;
      if (sent.kind === 'accepted') return;
      failures += 1;
      if (failures > shownFailures) return;
      tell(`${printable(placeOf(ended))}: ${describe(sent)}`);
      if (failures === shownFailures) tell('Further failures are only counted.');
    },
    done: (count) => {
      bytes += count;
      if (interactive) bar.update(totalBytes === undefined ? 0 : Math.min(bytes, totalBytes), { events, rate: rate() });
    },
    waits: (sent) => {
      if (hasWaited || sent.kind === 'accepted') return;
      hasWaited = true;
      tell(`Waiting, and sending again what was ${describe(sent)}`);
    },
    end: () => {
      bar.stop();
      const seconds = (performance.now() - began) / 1000;
      if (interactive && seconds * 1000 > longMs) tell(`${events} events in ${seconds.toFixed(1)} s, ${rate()}/s`);
    },
  };
}

function describe(sent: Exclude<Sent, { kind: 'accepted' }>): string {
  switch (sent.kind) {
    case 'refused':
      return `refused${sent.status === undefined ? '' : ` with ${sent.status}`}: ${printable(sent.reason)}`;
    case 'unanswered':
      return `no answer, it may have been accepted or not: ${printable(sent.reason)}`;
    case 'unreachable':
      return `not sent: ${printable(sent.reason)}`;
    default:
      return sent satisfies never;
  }
}
