import { enableCompileCache } from 'node:module';
import { provideDisposableStack } from '../disposable-stack.ts';

enableCompileCache();
provideDisposableStack();
const { serveTrials } = await import('./serve-trials.ts');

serveTrials();
