import { switchSink } from '../../../control/operations/switch-sink-task.ts';
import { switchSource } from '../../../control/operations/switch-source.ts';
import type { Route } from '../../route/route.ts';
import { sinkKind, sourceKind } from './object-kind.ts';
import { taskRoute } from './task-route.ts';

function sourceSwitch(operation: 'disable' | 'enable', summary: string): Route {
  return taskRoute(sourceKind, {
    operation,
    method: 'PUT',
    path: `/${operation}`,
    summary,
    refuses: ['versionCountLimitReached'],
    start: (context, what, options) => switchSource(context, { ...what, operation }, options),
  });
}

export const disableSourceRoute = sourceSwitch('disable', 'Refuse events of a source; its sinks are disabled with it.');
export const enableSourceRoute = sourceSwitch(
  'enable',
  'Take events again; sinks that were disabled with the source come back.',
);

function sinkSwitch(operation: 'disable' | 'enable' | 'delete', summary: string): Route {
  return taskRoute(sinkKind, {
    operation,
    ...(operation === 'delete' ? { method: 'DELETE', path: '' } : { method: 'PUT', path: `/${operation}` }),
    summary,
    refuses: ['sourceDisabled', 'versionCountLimitReached'],
    start: (context, what, options) => switchSink(context, { ...what, operation }, options),
  });
}

export const disableSinkRoute = sinkSwitch(
  'disable',
  'Take no more events; what was accepted is still delivered, then the token of the sink is revoked.',
);
export const enableSinkRoute = sinkSwitch('enable', 'Take events again, from now on, with a token made anew.');
export const deleteSinkRoute = sinkSwitch(
  'delete',
  'Delete a sink softly; what was accepted is still delivered, the table stays.',
);
