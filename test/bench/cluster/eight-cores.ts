import { median } from '../statistics.ts';
import type { RoleWork } from './lab.ts';

export interface MeasuredRole {
  readonly role: string;
  readonly unit: string;
  readonly rounds: readonly Pick<RoleWork, 'microseconds' | 'servers'>[];
}

const cores = 8;

/**
 * What a machine of eight cores makes of what an event costs: all cores at work, and nothing that waits. It is worked out, not
 * measured.
 */
export function machineOfEightCores(measured: readonly MeasuredRole[]): string {
  const names = [...new Set(measured.flatMap(({ rounds }) => rounds.flatMap(({ servers }) => [...servers.keys()])))];
  const head = [
    'role',
    'an event',
    'eight cores',
    'half of it, to plan with',
    ...names.map((name) => `${name}, an event`),
  ];
  const rows = measured.map(({ role, unit, rounds }) => {
    const microseconds = median(rounds.map((round) => round.microseconds));
    const perSecond = (cores * 1e6) / microseconds;
    const ofServers = names.map(
      (name) => `${median(rounds.map(({ servers }) => servers.get(name) ?? 0)).toFixed(1)} µs`,
    );
    return [
      role,
      `${microseconds.toFixed(1)} µs`,
      thousands(perSecond, unit),
      thousands(perSecond / 2, unit),
      ...ofServers,
    ];
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '**Computed, not measured:** what a machine of eight cores makes with one role on it, when all cores work and nothing waits.',
    '',
    line(head),
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}

function thousands(perSecond: number, unit: string): string {
  return `${Math.round(perSecond / 1000).toLocaleString('en')} k ${unit}/s`;
}
