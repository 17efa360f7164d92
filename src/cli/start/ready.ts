import { styleText } from 'node:util';
import type { Running } from '../../runtime/product.ts';
import { adviceText, type Advice } from '../paste/next-step.ts';
import type { Terminal } from '../terminal.ts';

export interface Ready {
  readonly version: string;
  readonly dataDir: string;
  readonly running: Running;
  /** Of a process of a cluster. */
  readonly roles?: readonly string[];
  /** Rows reach their tables at once. */
  readonly quick: boolean;
  /** What a person may type now. */
  readonly next?: Advice | undefined;
}

/** Says that the product takes events: one line of JSON for a program, a short page for a person. */
export function printReady(
  { stdout, human }: Terminal,
  { version, dataDir, running, roles, quick, next }: Ready,
): void {
  const { listeners, rootTokenShown } = running;
  if (!human) {
    stdout.write(
      `${JSON.stringify({ event: 'ready', ...listeners, pid: process.pid, version, dataDir, ...(roles && { roles }), ...(quick && { quick }) })}\n`,
    );
    return;
  }
  const label = (text: string): string => styleText('dim', text.padEnd(12), { validateStream: false });
  const lines = [
    '',
    styleText('bold', `Millrace ${version} is ready.`, { validateStream: false }),
    '',
    ...(roles === undefined ? [] : [`  ${label('roles')}${roles.join(', ')}`]),
    ...(listeners.admin === undefined ? [] : [`  ${label('admin API')}${listeners.admin}`]),
    ...(listeners.ingest === undefined ? [] : [`  ${label('ingest')}${listeners.ingest}`]),
    ...(listeners.ingest === undefined ? [] : [`  ${label('OTLP/gRPC')}${listeners.otlpGrpc ?? grpcLeftOut}`]),
    ...(listeners.ops === undefined ? [] : [`  ${label('metrics')}${listeners.ops}/metrics`]),
    `  ${label('data')}${dataDir}`,
    ...(quick ? [`  ${label('quick')}${quickText}`] : []),
    ...(rootTokenShown === undefined
      ? []
      : [`  ${label('root token')}${rootTokenShown}`, shownOnce(dataDir, label(''))]),
    ...(next === undefined ? [] : ['', adviceText(next)]),
    '',
    'Ctrl-C drains and leaves.',
    '',
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

const grpcLeftOut = 'not served: port 4317 is taken; MILLRACE_OTLP_GRPC_PORT sets another one';

const quickText =
  'rows are in their tables within a second, but for sources and sinks with triggers of their own; without --quick as usual again';

function shownOnce(dataDir: string, indent: string): string {
  return `  ${indent}shown once; kept in ${dataDir}/root-token, where the commands find it`;
}
