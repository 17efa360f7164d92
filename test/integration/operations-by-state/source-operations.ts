import type { Operation } from './expectation.ts';

export const sourceStates = ['absent', 'active', 'disabled', 'deleted', 'task running'] as const;
export type SourceState = (typeof sourceStates)[number];

const notFound = '404 sourceNotFound';
const busy = '409 operationInProgress';
const noVersion = '404 sourceVersionNotFound';
const notDeleted = '404 deletedSourceNotFound';
const exists = '409 sourceAlreadyExists';
/** What only reads, and what is asked of a deleted source as of one that never was. */
const read = { absent: notFound, active: '200', disabled: '200', deleted: notFound, 'task running': '200' };

export const sourceOperations: readonly Operation<SourceState>[] = [
  {
    method: 'POST',
    path: '..',
    body: (id) => ({ type: 'http', name: id, sourceId: id }),
    expected: {
      absent: 'task → active',
      active: exists,
      disabled: exists,
      deleted: 'task → active',
      'task running': busy,
    },
  },
  { method: 'GET', path: '', expected: read },
  {
    method: 'PATCH',
    path: '',
    note: 'a change',
    body: () => ({ description: 'another' }),
    expected: {
      absent: notFound,
      active: 'task → active',
      disabled: 'task → disabled',
      deleted: notFound,
      'task running': busy,
    },
  },
  {
    method: 'PATCH',
    path: '',
    note: 'no change',
    body: () => ({}),
    expected: { absent: notFound, active: 'task', disabled: 'task', deleted: notFound, 'task running': busy },
  },
  {
    method: 'PUT',
    path: '/disable',
    expected: {
      absent: notFound,
      active: 'task → disabled',
      disabled: 'task',
      deleted: notFound,
      'task running': busy,
    },
  },
  {
    method: 'PUT',
    path: '/enable',
    expected: { absent: notFound, active: 'task', disabled: 'task → active', deleted: notFound, 'task running': busy },
  },
  {
    method: 'DELETE',
    path: '',
    expected: {
      absent: notFound,
      active: 'task → deleted',
      disabled: 'task → deleted',
      deleted: notFound,
      'task running': busy,
    },
  },
  { method: 'GET', path: '/settings', expected: read },
  {
    method: 'PATCH',
    path: '/settings',
    body: () => ({ settings: [{ key: 'storage.level.local.encoding.sync.wait', value: false }] }),
    expected: {
      absent: notFound,
      active: '200 → active',
      disabled: '200 → disabled',
      deleted: notFound,
      'task running': busy,
    },
  },
  { method: 'POST', path: '/test', body: () => ({}), expected: read },
  { method: 'GET', path: '/events', expected: read },
  { method: 'GET', path: '/trace?since=2026-01-01T00:00:00Z', expected: read },
  { method: 'GET', path: '/sinks', expected: read },
  { method: 'GET', path: '/sinks/deleted', expected: read },
  { method: 'GET', path: '/versions', expected: read },
  { method: 'GET', path: '/versions/1', expected: read },
  {
    method: 'PUT',
    path: '/versions/1/rollback',
    expected: { absent: notFound, active: 'task', disabled: 'task', deleted: notFound, 'task running': busy },
  },
  {
    method: 'GET',
    path: '/versions/99',
    expected: { ...read, active: noVersion, disabled: noVersion, 'task running': noVersion },
  },
  {
    method: 'PUT',
    path: '/undelete',
    expected: {
      absent: notDeleted,
      active: notDeleted,
      disabled: notDeleted,
      deleted: 'task → active',
      'task running': notDeleted,
    },
  },
  {
    method: 'POST',
    path: '/rotate-secret',
    expected: {
      absent: notFound,
      active: '200 → active',
      disabled: '200 → disabled',
      deleted: notFound,
      'task running': busy,
    },
  },
  {
    method: 'DELETE',
    path: '?cascade=true',
    expected: {
      absent: notFound,
      active: 'task → absent',
      disabled: 'task → absent',
      deleted: notFound,
      'task running': busy,
    },
  },
  {
    method: 'DELETE',
    path: '/statistics/clear',
    expected: { ...read, deleted: '200' },
  },
];
