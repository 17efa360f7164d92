import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tarball that `npm pack` makes of this checkout, built now. */
export async function packed(folder: string): Promise<string> {
  await run('npm', ['run', 'prepare'], { cwd: root });
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  const [made] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return join(folder, made?.filename ?? '');
}

/** Unpacks it where npm would install it, below `node_modules`, and answers its folder. */
export async function unpacked(tarball: string, folder: string): Promise<string> {
  const target = join(folder, 'node_modules', 'millrace');
  await mkdir(target, { recursive: true });
  await run('tar', ['--extract', '--gzip', '--file', tarball, '--strip-components', '1', '--directory', target]);
  return target;
}
