import type { ApiErrorName } from '../errors/api-errors.ts';
import type { Route } from '../route/route.ts';

/** What any operation may answer. What is refused before an operation is known (405, 417, 431, 501) belongs to none. */
const always: readonly ApiErrorName[] = ['badRequest', 'requestTimeout', 'internalError', 'serviceUnavailable'];
const ofToken: readonly ApiErrorName[] = ['missingToken', 'invalidToken'];
const ofQuery: readonly ApiErrorName[] = [
  'missingField',
  'invalidFieldType',
  'invalidEnumValue',
  'invalidLength',
  'invalidRange',
  'invalidFormat',
];
const ofBytes: readonly ApiErrorName[] = ['decodePayload', 'payloadTooLarge', 'unsupportedMediaType'];
const ofJson: readonly ApiErrorName[] = [...ofBytes, 'missingPayload', 'invalidPattern', ...ofQuery];
const ofWrite: readonly ApiErrorName[] = ['operationInProgress'];

const ofParameter: Readonly<Record<string, ApiErrorName>> = {
  sourceId: 'sourceNotFound',
  sinkId: 'sinkNotFound',
  taskId: 'taskNotFound',
  jobId: 'jobNotFound',
  bucketId: 'bucketNotFound',
  tableId: 'tableNotFound',
  fileId: 'fileNotFound',
  columnName: 'columnNotFound',
  tokenId: 'tokenNotFound',
  componentId: 'componentNotFound',
  configurationId: 'configurationNotFound',
};

/** Every refusal that a route may answer: what follows from its access, path, query and body, and what it names itself. */
export function refusalsOf(route: Route): ReadonlySet<ApiErrorName> {
  const { access, path, bodyKind, schemas, refuses = [] } = route;
  return new Set<ApiErrorName>([
    ...always,
    ...(access === 'public' ? [] : ofToken),
    ...(access === 'public' || access === 'token' ? [] : (['forbidden'] as const)),
    ...parametersOf(path).flatMap((name) => ofParameter[name] ?? []),
    ...(schemas.query === undefined ? [] : ofQuery),
    ...(bodyKind === 'json' || bodyKind === 'fields'
      ? ofJson
      : bodyKind === 'bytes' || bodyKind === 'stream'
        ? ofBytes
        : []),
    ...(route.changes ? ofWrite : []),
    ...refuses,
  ]);
}

function parametersOf(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\*?\}/g), ([, name = '']) => name);
}
