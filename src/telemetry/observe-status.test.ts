import { expect, it } from 'vitest';
import type { BranchId, Incarnation, SinkId, SourceId } from '../core/ids.ts';
import type { SinkStatus } from '../core/sink-status.ts';
import { silentTelemetry } from '../../test/support/silent-telemetry.ts';
import { observeStatus } from './observe-status.ts';

const key = { branchId: 1 as BranchId, sourceId: 'shop' as SourceId, sinkId: 'orders' as SinkId };

function status(role: SinkStatus['role'], code: SinkStatus['code']): SinkStatus {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    incarnation: 7 as Incarnation,
    role,
    code,
    message: code,
    since: at,
    lastTryAt: at,
    nextTryAt: at,
    attempts: 1,
  };
}

it('counts every failed import, and one open alarm a sink, under the code that it has now', async () => {
  const telemetry = silentTelemetry();
  const observer = observeStatus(telemetry, () => key);
  const page = (): Promise<string> => telemetry.metrics.registry.metrics();
  observer.sinkFailed(status('stage', 'log.unavailable'));
  observer.sinkHealed(status('stage', 'log.unavailable'));
  for (const code of ['table.notFound', 'table.notFound', 'table.unavailable'] as const)
    observer.sinkFailed(status('import', code));
  expect(await page()).toContain('millrace_imports_total{branch="1",source="shop",sink="orders",result="failed"} 3');
  expect(await page()).toContain('millrace_open_alarms{role="import",code="table.notFound"} 0');
  expect(await page()).toContain('millrace_open_alarms{role="import",code="table.unavailable"} 1');
  observer.sinkFailed({ ...status('import', 'table.unavailable'), attempts: 7 });
  const failures = 'millrace_sink_consecutive_failures{branch="1",source="shop",sink="orders",role="import"}';
  expect(await page()).toContain(`${failures} 7`);
  observer.sinkHealed(status('import', 'table.unavailable'));
  expect(await page()).not.toContain(failures);
  expect(await page()).toContain('millrace_open_alarms{role="import",code="table.unavailable"} 0');
});
