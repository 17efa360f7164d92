import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Api } from '../../support/api.ts';
import { startProcess, type ProductProcess } from '../../support/process.ts';

export const benchToken = 'bench-root-token';

/** What `npm start` runs: what is built; `run.ts` builds it before when the sources are newer. */
const launcher = fileURLToPath(new URL('../../../bin/millrace.cjs', import.meta.url));

/** The sources, whose names a profile has. */
export const sources = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

export interface ProductOptions {
  /** Keeps its data for a next start, and is not removed then; absent: one of its own. */
  readonly folder?: string;
  /** The module that is started in place of the product's command line. */
  readonly program?: string;
  /** The Node that runs it; absent: the one of this process. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node besides. */
  readonly nodeOptions?: readonly string[];
}

/** The product in a process of its own on a temporary folder. */
export interface Product extends AsyncDisposable {
  readonly process: ProductProcess;
  readonly pid: number;
  readonly api: Api;
  readonly folder: string;
}

/** Starts it as `npm start` does; it ends with this process. */
export async function startProduct({
  folder,
  program,
  node,
  env,
  nodeOptions = [],
}: ProductOptions = {}): Promise<Product> {
  const own = folder ?? (await mkdtemp(join(tmpdir(), 'millrace-bench-')));
  const removeOwn = async (): Promise<void> => {
    if (folder === undefined) await rm(own, { recursive: true, force: true });
  };
  try {
    const started = await startProcess({
      launcher: program ?? launcher,
      nodeOptions,
      endsWithParent: true,
      ...(node !== undefined && { node }),
      env: {
        MILLRACE_DATA_DIR: own,
        MILLRACE_ROOT_TOKEN: benchToken,
        MILLRACE_ADMIN_PORT: '0',
        MILLRACE_INGEST_PORT: '0',
        MILLRACE_LOG_LEVEL: 'warn',
        ...env,
      },
    });
    return {
      process: started,
      pid: started.child.pid ?? 0,
      api: new Api(started.admin, benchToken),
      folder: own,
      [Symbol.asyncDispose]: async () => {
        started.kill('SIGTERM');
        await started.ended;
        await removeOwn();
      },
    };
  } catch (thrown) {
    await removeOwn();
    throw thrown;
  }
}
