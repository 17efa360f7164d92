import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runThread } = await import('./thread.ts');

await runThread();
