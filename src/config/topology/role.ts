import { list, type Primitive } from '../primitives.ts';

/** The parts of a topology that can run as processes of their own. */
export const roles = ['ingest', 'map', 'stage', 'import', 'work', 'admin'] as const;

/** Of a variable: roles, separated by commas. */
export function roleList(): Primitive<readonly Role[]> {
  return list(`roles out of ${roles.join(', ')}, separated by commas`, (text) => roles.find((role) => role === text));
}

export type Role = (typeof roles)[number];
