import { runThread } from '../../../src/runtime/composition/thread.ts';
import { telemetryOfBench } from './silent-telemetry.ts';

await runThread((ports) => ports, telemetryOfBench());
