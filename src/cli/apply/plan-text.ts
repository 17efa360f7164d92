import { styleText } from 'node:util';
import { columnsOf, printable } from '../printable.ts';
import { nameOfObject } from './declaration.ts';
import type { FieldChange, FieldValue } from './field-change.ts';
import type { ObjectPlan, Plan } from './plan.ts';

const marks = {
  create: { sign: '+', style: 'green', counted: 'to create' },
  change: { sign: '~', style: 'yellow', counted: 'to change' },
  delete: { sign: '-', style: 'red', counted: 'to delete' },
  unchanged: { sign: ' ', style: 'dim', counted: 'unchanged' },
  undeclared: { sign: ' ', style: 'dim', counted: 'in no file' },
} as const;

type Action = ObjectPlan['action'];

/** Everything that will be done, field by field, and what a person should know before; the counts are the last line. */
export function planText(plan: Plan, { human }: { readonly human: boolean }): string {
  const blocks = plan.objects.flatMap((object) => objectLines(object, human));
  return [...blocks, ...(blocks.length === 0 ? [] : ['']), countsText(plan)].join('\n');
}

/** `1 to create, 2 to change, 1 to delete, 3 unchanged`; what is 0 is left out. */
export function countsText({ objects }: Pick<Plan, 'objects'>): string {
  const actions = Object.keys(marks) as readonly Action[];
  const counts = actions.map((action) => ({ action, count: objects.filter((one) => one.action === action).length }));
  const shown = counts.filter(({ count }) => count > 0).map(({ action, count }) => `${count} ${marks[action].counted}`);
  const left = obstaclesOf({ objects }).length;
  if (left > 0) shown.push(`${left} not possible`);
  return shown.length === 0 ? 'Nothing is declared, and nothing is there.' : shown.join(', ');
}

/** The plan for a program. */
export function planJson({ objects, steps }: Plan): object {
  return {
    differs: steps.length > 0 || obstaclesOf({ objects }).length > 0,
    objects: objects.map(({ object, ...rest }) => ({ ...object, ...rest })),
  };
}

/** What cannot be done, a sentence for each object. */
export function obstaclesOf({ objects }: Pick<Plan, 'objects'>): readonly string[] {
  return objects.flatMap(({ object, obstacle }) =>
    obstacle === undefined ? [] : [`${nameOfObject(object)}: ${printable(obstacle)}`],
  );
}

function objectLines({ object, action, changes, remarks, obstacle }: ObjectPlan, human: boolean): readonly string[] {
  if (action === 'undeclared') return [`  ${nameOfObject(object)} is in no file and stays; --prune deletes it`];
  if (action === 'unchanged' && remarks.length === 0) return [];
  const { sign, style } = marks[action];
  const title = `${sign} ${nameOfObject(object)}`;
  const width = Math.max(0, ...changes.map(({ field }) => columnsOf(printable(field))));
  return [
    human ? styleText(style, title, { validateStream: false }) : title,
    ...changes.flatMap((change) => changeLines(change, { width, isNew: action === 'create' })),
    ...remarks.map((remark) => `    ${printable(remark)}`),
    ...(obstacle === undefined ? [] : [`    ! ${printable(obstacle)}`]),
  ];
}

const longest = 70;

interface Layout {
  readonly width: number;
  /** There is no value before. */
  readonly isNew: boolean;
}

function changeLines({ field, from, to }: FieldChange, { width, isNew }: Layout): readonly string[] {
  const name = printable(field);
  const start = `    ${name}${' '.repeat(width - columnsOf(name))}  `;
  const isLong = [from, to].some(
    (value) => typeof value === 'string' && (value.includes('\n') || value.length > longest),
  );
  if (isLong) return [start.trimEnd(), ...longLines(from, to).map((line) => `      ${line}`)];
  return [isNew ? `${start}${shown(to)}` : `${start}${shown(from)} → ${shown(to)}`];
}

/** The lines that differ; what is alike at the start and at the end is left out. */
function longLines(from: FieldValue | undefined, to: FieldValue | undefined): readonly string[] {
  const [old, wanted] = [linesOf(from), linesOf(to)];
  if (from === undefined && wanted.at(-1) === '') wanted.pop();
  const shortest = Math.min(old.length, wanted.length);
  let head = 0;
  while (head < shortest && old[head] === wanted[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${printable(line)}`.trimEnd()),
    ...wanted.slice(head, wanted.length - tail).map((line) => `+ ${printable(line)}`.trimEnd()),
  ];
}

function linesOf(value: FieldValue | undefined): string[] {
  return value === undefined ? [] : textOf(value).split('\n');
}

function shown(value: FieldValue | undefined): string {
  if (value === undefined) return '–';
  return value === '' ? '""' : printable(textOf(value));
}

function textOf(value: FieldValue): string {
  return typeof value === 'object' ? `[${value.join(', ')}]` : String(value);
}
