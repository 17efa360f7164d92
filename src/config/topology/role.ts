/** The parts of a topology that can run as processes of their own. */
export const roles = ['ingest', 'map', 'stage', 'import', 'admin'] as const;

export type Role = (typeof roles)[number];
