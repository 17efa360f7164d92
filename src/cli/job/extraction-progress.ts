import cliProgress from 'cli-progress';
import type { ExtractedSoFar, ExtractionLogEntry } from '../../runtime/product.ts';
import { printable } from '../printable.ts';
import { say } from '../print.ts';
import { sizeText } from '../size-text.ts';
import type { Terminal } from '../terminal.ts';

/** Shows how far a run is, and its log. */
export interface ExtractionProgress {
  readonly tell: (entry: ExtractionLogEntry) => void;
  readonly done: (soFar: ExtractedSoFar) => void;
  readonly end: () => void;
}

/** The log on standard error; a line that moves below it when a person watches. */
export function showExtraction(terminal: Terminal): ExtractionProgress {
  const { interactive, stderr } = terminal;
  const bar = new cliProgress.SingleBar({
    stream: stderr,
    format: '{pages} pages, {rows} rows, {size}, {rate} rows/s',
    hideCursor: true,
    gracefulExit: false,
    clearOnComplete: true,
  });
  const began = performance.now();
  if (interactive) bar.start(1, 0, { pages: 0, rows: 0, size: sizeText(0), rate: 0 });
  return {
    tell: ({ level, message }) => {
      if (interactive) stderr.write('\r\u001b[K');
      say(terminal, level === 'info' ? printable(message) : `${level}: ${printable(message)}`);
    },
    done: ({ pages, rows, bytes }) => {
      if (!interactive) return;
      const rate = Math.round(rows / Math.max((performance.now() - began) / 1000, 0.001));
      bar.update(0, { pages, rows, size: sizeText(bytes), rate });
    },
    end: () => bar.stop(),
  };
}
