import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A call that a process made to the operating system. */
export interface SystemCall {
  readonly name: string;
  /** The call as strace writes it, with the paths of its descriptors and its result. */
  readonly text: string;
  /** Places in the order of all beginnings and ends. */
  readonly began: number;
  readonly ended: number;
}

/** False where calls cannot be traced. */
export function canTraceSystemCalls(): boolean {
  return spawnSync('strace', ['-V']).status === 0;
}

/** Runs a program of Node to its end; gives the named calls of all its threads, in the order of their ends. */
export async function systemCallsOf(program: readonly string[], names: string): Promise<readonly SystemCall[]> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-trace-'));
  const trace = join(folder, 'trace');
  try {
    execFileSync('strace', ['-f', '-y', '-e', `trace=${names}`, '-o', trace, process.execPath, ...program]);
    return parseTrace(await readFile(trace, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A call that another thread interrupts is two lines. */
function parseTrace(trace: string): readonly SystemCall[] {
  const begun = new Map<string, { readonly line: string; readonly began: number }>();
  return trace.split('\n').flatMap((line, ended) => {
    const thread = line.slice(0, line.indexOf(' '));
    if (line.endsWith('<unfinished ...>')) {
      begun.set(thread, { line, began: ended });
      return [];
    }
    const start = line.includes('resumed>') ? begun.get(thread) : undefined;
    const text = start === undefined ? line : `${start.line} ${line}`;
    return [{ name: /^[0-9]+ +([a-z0-9]+)\(/.exec(text)?.[1] ?? '', text, began: start?.began ?? ended, ended }];
  });
}
