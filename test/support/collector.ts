import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram, canHave, type GoProgram } from './go-program.ts';
import { madeOnce } from './made-once.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

const builder: GoProgram = {
  name: 'otelcol-builder',
  module: 'go.opentelemetry.io/collector/cmd/builder',
  version: 'v0.164.0',
};

/** Of the parts; the newest of which all resolve. */
const version = 'v0.160.0';
const parts = {
  receivers: ['go.opentelemetry.io/collector/receiver/otlpreceiver'],
  processors: ['go.opentelemetry.io/collector/processor/batchprocessor'],
  exporters: [
    'go.opentelemetry.io/collector/exporter/otlpexporter',
    'go.opentelemetry.io/collector/exporter/otlphttpexporter',
    'go.opentelemetry.io/collector/exporter/debugexporter',
  ],
};
/** To build it takes as long as half of all others. */
const kafkaExporter = 'github.com/open-telemetry/opentelemetry-collector-contrib/exporter/kafkaexporter';

export interface CollectorParts {
  /** Whether it has the exporter to Kafka, too. Default: no. */
  readonly withKafka?: boolean;
}

/** Why there is no Collector here; undefined when there is. In CI it throws instead. */
export async function whyNoCollector(): Promise<string | undefined> {
  if (await canHave(builder)) return undefined;
  const reason = 'no Collector: there is no go to build it';
  if (process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/** Path of the OpenTelemetry Collector with the parts above, built once by its own builder. */
export async function builtCollector({ withKafka = false }: CollectorParts = {}): Promise<string> {
  return madeOnce(`otelcol-${withKafka ? 'kafka-' : ''}${version}`, async (work) => {
    const exporters = withKafka ? [...parts.exporters, kafkaExporter] : parts.exporters;
    const modules = (names: readonly string[]) => names.map((name) => ({ gomod: `${name} ${version}` }));
    const configuration = {
      dist: { name: 'otelcol', output_path: './built' },
      receivers: modules(parts.receivers),
      processors: modules(parts.processors),
      exporters: modules(exporters),
    };
    // YAML reads JSON.
    await writeFile(join(work, 'builder.json'), JSON.stringify(configuration));
    // The parts that resolve are older than the builder.
    const args = ['--config', 'builder.json', '--skip-strict-versioning'];
    await run(await builtProgram(builder), args, { cwd: work, maxBuffer: 2 ** 26 });
    return 'built/otelcol';
  });
}

/** A started Collector; it ends with this process. */
export interface Collector extends AsyncDisposable {
  readonly pid: number;
  /** The last lines of what it said. */
  said(): string;
}

export interface CollectorOptions extends CollectorParts {
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a Collector with these configurations in YAML, of which a later one changes what the earlier ones say. */
export async function startCollector(
  configurations: readonly string[],
  { env = {}, ...collectorParts }: CollectorOptions = {},
): Promise<Collector> {
  const program = await builtCollector(collectorParts);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-collector-'));
  const files = configurations.map((_text, index) => join(folder, `${index}.yaml`));
  let server: ServerProcess | undefined;
  const end = async (): Promise<void> => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(files.map((file, index) => writeFile(file, configurations[index] ?? '')));
    server = await startServerProcess({
      name: 'the Collector',
      command: [program, ...files.flatMap((file) => ['--config', file])],
      env: { ...process.env, ...env },
      isReady: (line) => line.includes('Everything is ready'),
    });
  } catch (thrown) {
    await end();
    throw thrown;
  }
  const started = server;
  return { pid: started.pid, said: () => started.said(), [Symbol.asyncDispose]: end };
}
