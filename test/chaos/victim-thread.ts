import { runThread } from '../../src/runtime/composition/thread.ts';
import { crashingPorts, plannedCrash } from './crash-points.ts';

await runThread(crashingPorts(plannedCrash(process.env)));
