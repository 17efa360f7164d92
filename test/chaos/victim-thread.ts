import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runThread } = await import('../../src/runtime/composition/thread.ts');
const { crashingPorts, plannedCrash } = await import('./crash-points.ts');

await runThread(crashingPorts(plannedCrash(process.env)));
