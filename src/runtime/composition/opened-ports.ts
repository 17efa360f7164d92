import { MillraceError } from '../../core/millrace-error.ts';
import type { Ports } from './ports.ts';

export type PortName = keyof Ports;

/** What a thread of each role works with. The main thread has everything. */
export const portsOf = {
  ingest: ['catalog', 'sourceLog'],
  map: ['catalog', 'sourceLog', 'sinkLog', 'schemaRegistry'],
  stage: ['catalog', 'sourceLog', 'sinkLog', 'objects'],
  work: ['catalog', 'sinkLog'],
} as const satisfies Readonly<Record<string, readonly PortName[]>>;

/** Which ports are opened; the others cost nothing. */
export interface PortChoice {
  /** Absent: all. */
  readonly only?: readonly PortName[] | undefined;
}

export function isOpened(name: PortName, { only }: PortChoice): boolean {
  return only?.includes(name) ?? true;
}

/** In place of a port that a role works without. Whoever calls it has a defect, and is told so. */
export function unopened<Name extends PortName>(name: Name): NonNullable<Ports[Name]> {
  const call = (): never => {
    throw new MillraceError(
      'internal.bug',
      `this thread does not open "${name}": \`portsOf\` says what its role works with`,
    );
  };
  return new Proxy({} as NonNullable<Ports[Name]>, { get: () => call });
}
