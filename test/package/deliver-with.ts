import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export interface Installed {
  /** What starts the program, with the arguments before those of the command line. */
  readonly program: readonly [string, ...(readonly string[])];
  /** Where it works: its data is below. */
  readonly folder: string;
  readonly path?: string;
}

/** Runs one command of an installed program; rejects with what it said when it fails. */
export async function runInstalled(installed: Installed, args: readonly string[], stdin = ''): Promise<string> {
  const child = start(installed, args);
  child.stdin.end(stdin);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Starts the product, sends it an event, answers the rows of its table, and lets it drain; its exit code must be 0. */
export async function deliverWith(installed: Installed): Promise<string> {
  const product = start(installed, ['start', '--admin-port', '0', '--ingest-port', '0']);
  const said = text(product.stderr);
  const ended = once(product, 'exit') as Promise<[number | null]>;
  const ready = await Promise.race([once(createInterface({ input: product.stdout }), 'line'), ended]);
  if (typeof ready[0] !== 'string') throw new Error(`it ended before it was ready: ${await said}`);
  const rows = await deliver((line, stdin) => runInstalled(installed, line.split(' '), stdin)).finally(() => {
    product.kill('SIGTERM');
  });
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}: ${await said}`);
  return rows;
}

async function deliver(command: (line: string, stdin?: string) => Promise<string>): Promise<string> {
  const columns = 'total:path:total twice:template:Body("total")*2';
  await command('source create Shop');
  await command(`sink create shop Orders --table in.c-shop.orders --column ${columns}`);
  await command('send - --source shop', '{"total":21}\n');
  await command('flush shop');
  return command('table export in.c-shop.orders');
}

function start({ program: [file, ...before], folder, path = '' }: Installed, args: readonly string[]) {
  const env = { PATH: `${path}:${process.env['PATH'] ?? ''}`, HOME: folder };
  return spawn(file, [...before, ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
}
