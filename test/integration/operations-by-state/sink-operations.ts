import type { Operation } from './expectation.ts';

export const sinkStates = [
  'absent',
  'absent, source disabled',
  'active',
  'disabled',
  'auto-disabled',
  'disabled, source disabled',
  'deleted',
  'source deleted',
  'task running',
  'task of the source running',
] as const;
export type SinkState = (typeof sinkStates)[number];

const notFound = '404 sinkNotFound';
const noSource = '404 sourceNotFound';
const busy = '409 operationInProgress';
const notDeleted = '404 deletedSinkNotFound';
const exists = '409 sinkAlreadyExists';
const missing = {
  absent: notFound,
  'absent, source disabled': notFound,
  deleted: notFound,
  'source deleted': noSource,
} as const;
/** Anything that changes the sink and needs it to be there. */
const change = { ...missing, 'task running': busy, 'task of the source running': busy };
/** What only reads. */
const read = {
  ...missing,
  active: '200',
  disabled: '200',
  'auto-disabled': '200',
  'disabled, source disabled': '200',
  'task running': '200',
  'task of the source running': '200',
};
/** What a deleted sink tells, too. */
const told = { ...read, deleted: '200', 'source deleted': '200' };

export const sinkColumns = [{ type: 'body', name: 'body' }];
const table = (id: string): object => ({ tableId: `in.c-states.${id}`, mapping: { columns: sinkColumns } });

export const sinkOperations: readonly Operation<SinkState>[] = [
  {
    method: 'POST',
    path: '..',
    body: (id) => ({ name: id, sinkId: id, table: table(id) }),
    expected: {
      absent: 'task → active',
      'absent, source disabled': 'task → auto-disabled',
      active: exists,
      disabled: exists,
      'auto-disabled': exists,
      'disabled, source disabled': exists,
      deleted: 'task → active',
      'source deleted': noSource,
      'task running': busy,
      'task of the source running': busy,
    },
  },
  { method: 'GET', path: '', expected: read },
  {
    method: 'PATCH',
    path: '',
    note: 'a change',
    body: () => ({ description: 'another' }),
    expected: {
      ...change,
      active: 'task → active',
      disabled: 'task → disabled',
      'auto-disabled': 'task → auto-disabled',
      'disabled, source disabled': 'task → disabled',
    },
  },
  {
    method: 'PATCH',
    path: '',
    note: 'no change',
    body: () => ({}),
    expected: {
      ...change,
      active: 'task',
      disabled: 'task',
      'auto-disabled': 'task',
      'disabled, source disabled': 'task',
    },
  },
  {
    method: 'PUT',
    path: '/disable',
    expected: {
      ...change,
      active: 'task → disabled',
      disabled: 'task',
      'auto-disabled': 'task',
      'disabled, source disabled': 'task',
    },
  },
  {
    method: 'PUT',
    path: '/enable',
    expected: {
      ...change,
      active: 'task',
      disabled: 'task → active',
      'auto-disabled': '409 sourceDisabled',
      'disabled, source disabled': '409 sourceDisabled',
    },
  },
  {
    method: 'DELETE',
    path: '',
    expected: {
      ...change,
      active: 'task → deleted',
      disabled: 'task → deleted',
      'auto-disabled': 'task → deleted',
      'disabled, source disabled': 'task → deleted',
    },
  },
  { method: 'GET', path: '/settings', expected: read },
  {
    method: 'PATCH',
    path: '/settings',
    body: () => ({ settings: [{ key: 'storage.level.target.import.trigger.count', value: 7 }] }),
    expected: {
      ...change,
      active: '200 → active',
      disabled: '200 → disabled',
      'auto-disabled': '200 → auto-disabled',
      'disabled, source disabled': '200 → disabled',
    },
  },
  { method: 'GET', path: '/progress', expected: told },
  { method: 'GET', path: '/why', expected: told },
  { method: 'GET', path: '/imports', expected: read },
  { method: 'GET', path: '/versions', expected: read },
  { method: 'GET', path: '/versions/1', expected: read },
  {
    method: 'PUT',
    path: '/versions/1/rollback',
    expected: {
      ...change,
      active: 'task',
      disabled: 'task',
      'auto-disabled': 'task',
      'disabled, source disabled': 'task',
    },
  },
  {
    method: 'PUT',
    path: '/undelete',
    expected: {
      absent: notDeleted,
      'absent, source disabled': notDeleted,
      active: notDeleted,
      disabled: notDeleted,
      'auto-disabled': notDeleted,
      'disabled, source disabled': notDeleted,
      deleted: 'task → active',
      'source deleted': noSource,
      'task running': notDeleted,
      'task of the source running': notDeleted,
    },
  },
  { method: 'GET', path: '/statistics/total', expected: told },
  { method: 'GET', path: '/statistics/files', expected: told },
  { method: 'DELETE', path: '/statistics/clear', expected: told },
  {
    method: 'POST',
    path: '/flush',
    expected: {
      ...read,
      active: 'task',
      disabled: 'task',
      'auto-disabled': 'task',
      'disabled, source disabled': 'task',
      deleted: 'task',
      'source deleted': 'task',
      'task running': 'task',
      'task of the source running': 'task',
    },
  },
];
