import { nameOfObject } from './declaration.ts';
import type { Step } from './plan.ts';

const words: Readonly<Record<Step['kind'], { readonly doing: string; readonly done: string }>> = {
  createSource: { doing: 'Creating', done: 'created' },
  createSink: { doing: 'Creating', done: 'created' },
  updateSource: { doing: 'Changing', done: 'changed' },
  updateSink: { doing: 'Changing', done: 'changed' },
  settings: { doing: 'Changing the settings of', done: 'settings changed' },
  enable: { doing: 'Enabling', done: 'enabled' },
  disable: { doing: 'Disabling', done: 'disabled' },
  delete: { doing: 'Deleting', done: 'deleted' },
  createConfiguration: { doing: 'Creating', done: 'created' },
  updateConfiguration: { doing: 'Changing', done: 'changed' },
  createRow: { doing: 'Creating', done: 'created' },
  updateRow: { doing: 'Changing', done: 'changed' },
  orderRows: { doing: 'Ordering the rows of', done: 'rows ordered' },
  setSchedule: { doing: 'Setting', done: 'set' },
  deletePart: { doing: 'Deleting', done: 'deleted' },
};

/** `Creating sink shop/orders`. */
export function doingText({ kind, object }: Step): string {
  return `${words[kind].doing} ${nameOfObject(object)}`;
}

/** `sink shop/orders: created`. */
export function doneText({ kind, object }: Step): string {
  return `${nameOfObject(object)}: ${words[kind].done}`;
}
