import { goPrograms } from '../docker/checkers.ts';
import { canRun } from './can-run.ts';
import { builtCollector } from './collector.ts';
import { builtProgram } from './go-program.ts';
import { versitygw } from './s3.ts';
import { builtTelemetrygen } from './telemetrygen.ts';
import { toxiproxy } from './toxiproxy.ts';

/*
 * Builds what the tests want of Go, one after the other, with all processors for each; what is in the user's cache is left as it is. On a
 * new machine this takes minutes, and beside tests it would take the processors from those that wait for what must come in seconds.
 */
const programs: Readonly<Record<string, () => Promise<string>>> = {
  versitygw: () => builtProgram(versitygw),
  toxiproxy: () => builtProgram(toxiproxy),
  'the OpenTelemetry Collector': () => builtCollector(),
  telemetrygen: builtTelemetrygen,
  kustomize: () => builtProgram(goPrograms.kustomize),
  'compose-go': () => builtProgram(goPrograms['compose-go']),
};

if (await canRun('go')) {
  for (const [name, build] of Object.entries(programs)) {
    const began = performance.now();
    await build();
    console.log(`${name}: there after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
} else {
  console.log('There is no go: each test that wants a program of it says so.');
}
