import { styleText } from 'node:util';
import type { Running } from '../../running.ts';
import type { Terminal } from '../terminal.ts';

export interface Ready {
  readonly version: string;
  readonly dataDir: string;
  readonly running: Running;
}

/** Says that the product takes events: one line of JSON for a program, a short page for a person. */
export function printReady({ stdout, human }: Terminal, { version, dataDir, running }: Ready): void {
  const { admin, ingest, rootTokenShown } = running;
  if (!human) {
    stdout.write(`${JSON.stringify({ event: 'ready', admin, ingest, pid: process.pid, version, dataDir })}\n`);
    return;
  }
  const label = (text: string): string => styleText('dim', text.padEnd(12), { validateStream: false });
  const lines = [
    '',
    styleText('bold', `Millrace ${version} is ready.`, { validateStream: false }),
    '',
    `  ${label('admin API')}${admin}`,
    `  ${label('ingest')}${ingest}`,
    `  ${label('data')}${dataDir}`,
    ...(rootTokenShown === undefined
      ? []
      : [`  ${label('root token')}${rootTokenShown}`, shownOnce(dataDir, label(''))]),
    '',
    'Next, in another terminal in this folder:',
    '',
    '  npx millrace source create Shop',
    '  npx millrace sink create shop Events --table in.c-shop.events',
    `  echo '{"hello":"world"}' | npx millrace send -`,
    '',
    'Ctrl-C drains and leaves.',
    '',
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

function shownOnce(dataDir: string, indent: string): string {
  return `  ${indent}shown once; kept in ${dataDir}/root-token, where the commands find it`;
}
