import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serveBackup } = await import('./serve-backup.ts');

serveBackup();
