import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Secret } from '../../src/config/secrets.ts';
import { canRun } from './can-run.ts';
import { lastingPort } from './free-port.ts';
import { lightJvm } from './light-jvm.ts';
import { madeOnce } from './made-once.ts';
import { standStill } from './stand-still.ts';

const run = promisify(execFile);

const emulatorVersion = '1.47.0';
const readyMs = 120_000;

/** A MongoDB, or what speaks its protocol, for a suite. */
export interface MongodbForTests extends AsyncDisposable {
  readonly url: Secret;
}

/** An emulator that this process has started. It keeps nothing over a restart. */
export interface StartedMongodb extends MongodbForTests {
  readonly port: number;
  /** Ends it. */
  stop(): Promise<void>;
  /** Starts it again under the same port, empty. */
  start(): Promise<void>;
  /** SIGSTOP: it stands still, with its connections, until it is thawed. Resolves when all of it does. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
}

/**
 * Where the suites find their MongoDB: the URL that MILLRACE_TEST_MONGODB names; else an emulator that `startMongodb`
 * brings up, for which java (with its compiler) and mvn are needed; else nowhere, with the reason.
 */
export async function whereIsMongodb(): Promise<
  { readonly kind: 'given'; readonly url: Secret } | { readonly kind: 'started' } | Nowhere
> {
  const url = process.env['MILLRACE_TEST_MONGODB'];
  return url === undefined || url === '' ? whereIsEmulator() : { kind: 'given', url: new Secret(url) };
}

export interface Nowhere {
  readonly kind: 'nowhere';
  readonly reason: string;
}

async function whereIsEmulator(): Promise<{ readonly kind: 'started' } | Nowhere> {
  for (const command of ['javac', 'mvn']) {
    if (!(await canRun(command)))
      return { kind: 'nowhere', reason: `no MongoDB: MILLRACE_TEST_MONGODB is not set or not enough, no ${command}` };
  }
  return { kind: 'started' };
}

/** True: the suite is skipped, and the reason is printed. In CI (variable CI) it throws instead. */
export async function isMongodbMissing(): Promise<boolean> {
  return isMissing(await whereIsMongodb());
}

/** The same for suites that need the emulator, to put a proxy before it: one that was given may be several servers. */
export async function isEmulatorMissing(): Promise<boolean> {
  return isMissing(await whereIsEmulator());
}

function isMissing(place: { readonly kind: 'given' | 'started' } | Nowhere): boolean {
  if (place.kind !== 'nowhere') return false;
  if (process.env['CI'] !== undefined) throw new Error(place.reason);
  console.warn(`skipped, ${place.reason}`);
  return true;
}

/** The MongoDB of `whereIsMongodb`; disposing it takes down what was brought up for it. */
export async function openMongodbForTests(): Promise<MongodbForTests> {
  const place = await whereIsMongodb();
  switch (place.kind) {
    case 'given':
      return { url: place.url, [Symbol.asyncDispose]: async () => {} };
    case 'started':
      return startMongodb();
    case 'nowhere':
      throw new Error(place.reason);
    default:
      return place satisfies never;
  }
}

/** The emulator in memory, on a free port; it ends with this process. */
export async function startMongodb(): Promise<StartedMongodb> {
  const libraries = await emulatorLibraries();
  const port = await lastingPort();
  let child = await startEmulator(libraries, port);
  const stop = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.stdin?.end();
    await ended;
  };
  return {
    url: new Secret(`mongodb://127.0.0.1:${port}`),
    port,
    stop,
    start: async () => {
      child = await startEmulator(libraries, port);
    },
    freeze: () => standStill(child.pid ?? 0),
    thaw: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: stop,
  };
}

async function startEmulator(libraries: string, port: number): Promise<ChildProcess> {
  const classPath = ['-cp', `${join(libraries, '*')}:${libraries}`];
  const child = spawn('java', ['-Xmx256m', ...lightJvm, ...classPath, 'Emulator', String(port)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await untilStarted(child);
  return child;
}

/** The emulator's jars, fetched once by Maven into a cache of the user, with the class that starts it. */
async function emulatorLibraries(): Promise<string> {
  return madeOnce(`mongodb-emulator-${emulatorVersion}`, async (work) => {
    await writeFile(join(work, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
    await run('mvn', ['-B', '-ntp', '-q', ...goal], { cwd: work });
    await writeFile(join(work, 'Emulator.java'), launcher);
    await run('javac', ['-cp', join(work, 'libs', '*'), '-d', join(work, 'libs'), join(work, 'Emulator.java')]);
    return 'libs';
  });
}

async function untilStarted(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string): void => reject(new Error(`the emulator of MongoDB ${why}:\n${lines.join('\n')}`));
  const onLine = (line: string): void => {
    lines.push(line);
    if (lines.length > 100) lines.shift();
    if (line === 'ready') resolve();
  };
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
  child.once('exit', () => fail('ended before it was ready'));
  const timer = setTimeout(() => fail(`is not ready after ${readyMs} ms`), readyMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends when its standard input closes: also when the process that started it is killed. */
const launcher = `
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

public class Emulator {
    public static void main(String[] args) throws Exception {
        MongoServer server = new MongoServer(new MemoryBackend());
        server.bind("127.0.0.1", Integer.parseInt(args[0]));
        System.out.println("ready");
        while (System.in.read() != -1) { }
        Runtime.getRuntime().halt(0);
    }
}
`;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>millrace</groupId>
  <artifactId>mongodb-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>de.bwaldvogel</groupId>
      <artifactId>mongo-java-server-memory-backend</artifactId>
      <version>${emulatorVersion}</version>
    </dependency>
  </dependencies>
</project>
`;
