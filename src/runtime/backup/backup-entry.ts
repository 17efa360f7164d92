import { enableCompileCache } from 'node:module';
import { provideDisposableStack } from '../disposable-stack.ts';

enableCompileCache();
provideDisposableStack();
const { serveBackup } = await import('./serve-backup.ts');

serveBackup();
