import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** A person reads standard output: tables have borders and colours. */
  readonly human: boolean;
  /** A person reads standard error: progress bars and spinners are shown. */
  readonly interactive: boolean;
  /** Width of standard output in characters. */
  readonly columns: number;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    stdin,
    stdout,
    stderr,
    human: stdout.isTTY,
    interactive: stderr.isTTY,
    columns: stdout.isTTY ? stdout.columns : 120,
  };
}
