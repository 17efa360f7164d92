import { enableCompileCache } from 'node:module';
import { provideDisposableStack } from '../disposable-stack.ts';

enableCompileCache();
provideDisposableStack();
const { runThread } = await import('./thread.ts');

await runThread();
