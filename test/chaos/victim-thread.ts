import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runThread } = await import('../../src/runtime/composition/thread.ts');
const { crashingPorts, plannedCrash } = await import('./crash-points.ts');
const { defectivePorts, plantedDefect } = await import('./planted.ts');

const [crash, defect] = [crashingPorts(plannedCrash(process.env)), defectivePorts(plantedDefect(process.env))];
await runThread((ports) => crash(defect(ports)));
