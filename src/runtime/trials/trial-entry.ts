import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serveTrials } = await import('./serve-trials.ts');

serveTrials();
