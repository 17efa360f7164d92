import type { Schemas } from '../client/api-client.ts';

// Shapes of the admin API under the names that the commands use.
export type SourceShape = Schemas['Source'];
export type SinkShape = Schemas['Sink'];
export type ColumnShape = Schemas['Column'];
export type TaskShape = Schemas['Task'];
export type SettingShape = Schemas['SettingsResult']['settings'][number];
export type TableShape = Schemas['Table'];
export type PreviewShape = Schemas['TablePreview'];
export type DependentsShape = Schemas['TableDependents'];
export type TokenShape = Schemas['Token'];
export type IssuedTokenShape = Schemas['IssuedToken'];
export type AuditEntryShape = Schemas['AuditEntry'];
export type StampShape = Schemas['Stamp'];
export type VersionShape = Schemas['Version'];
export type SourceVersionShape = Schemas['SourceVersion'];
export type SinkVersionShape = Schemas['SinkVersion'];
export type StatisticsShape = Schemas['Statistics'];
export type LevelShape = Schemas['StatisticsLevel'];
export type FileShape = Schemas['SinkFile'];
export type EventShape = Schemas['Event'];
export type EventsShape = Schemas['SourceEvents'];
export type ImportShape = Schemas['Import'];
export type JobShape = Schemas['Job'];
export type JobEventShape = Schemas['JobEvent'];
export type RankingShape = Schemas['Ranking'];
export type RankedBy = RankingShape['by'];
