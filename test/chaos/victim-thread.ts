import { runThread } from '../../src/runtime/embedded/thread.ts';
import { crashingPorts, plannedCrash } from './crash-points.ts';

await runThread(crashingPorts(plannedCrash(process.env)));
