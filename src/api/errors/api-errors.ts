interface ApiErrorEntry {
  readonly status: number;
  /** Error name of the management API, behind `stream.api.`. */
  readonly stream: string;
  /** Code of the storage interface. */
  readonly storage: string;
}

/** Every refusal of the API: its status, its name under `/v1` and its code under `/v2/storage`. Both are API. */
export const apiErrors = {
  missingField: { status: 400, stream: 'missingField', storage: 'validation.missingField' },
  missingPayload: { status: 400, stream: 'missingPayload', storage: 'validation.missingPayload' },
  decodePayload: { status: 400, stream: 'decodePayload', storage: 'validation.decodePayload' },
  invalidFieldType: { status: 400, stream: 'invalidFieldType', storage: 'validation.invalidFieldType' },
  invalidEnumValue: { status: 400, stream: 'invalidEnumValue', storage: 'validation.invalidEnumValue' },
  invalidLength: { status: 400, stream: 'invalidLength', storage: 'validation.invalidLength' },
  invalidRange: { status: 400, stream: 'invalidRange', storage: 'validation.invalidRange' },
  invalidFormat: { status: 400, stream: 'invalidFormat', storage: 'validation.invalidFormat' },
  invalidPattern: { status: 400, stream: 'invalidPattern', storage: 'validation.invalidPattern' },
  badRequest: { status: 400, stream: 'badRequest', storage: 'badRequest' },
  tableValidation: { status: 400, stream: 'badRequest', storage: 'storage.tables.validation' },
  invalidPermissions: { status: 400, stream: 'badRequest', storage: 'storage.tokens.invalidPermissions' },
  componentsValidation: { status: 400, stream: 'badRequest', storage: 'storage.components.validation' },
  invalidConfigurationFormat: {
    status: 400,
    stream: 'invalidFormat',
    storage: 'validation.invalidConfigurationFormat',
  },
  invalidStateFormat: { status: 400, stream: 'invalidFormat', storage: 'validation.invalidStateFormat' },
  configurationAlreadyExists: { status: 400, stream: 'badRequest', storage: 'configurationAlreadyExists' },
  secretNotEncrypted: { status: 400, stream: 'badRequest', storage: 'storage.components.encryption' },
  missingToken: { status: 401, stream: 'unauthorized', storage: '' },
  invalidToken: { status: 401, stream: 'unauthorized', storage: 'storage.tokenInvalid' },
  forbidden: { status: 403, stream: 'forbidden', storage: 'accessDenied' },
  sourceNotFound: { status: 404, stream: 'sourceNotFound', storage: 'notFound' },
  sinkNotFound: { status: 404, stream: 'sinkNotFound', storage: 'notFound' },
  sourceVersionNotFound: { status: 404, stream: 'sourceVersionNotFound', storage: 'notFound' },
  sinkVersionNotFound: { status: 404, stream: 'sinkVersionNotFound', storage: 'notFound' },
  deletedSourceNotFound: { status: 404, stream: 'deletedSourceNotFound', storage: 'notFound' },
  deletedSinkNotFound: { status: 404, stream: 'deletedSinkNotFound', storage: 'notFound' },
  taskNotFound: { status: 404, stream: 'taskNotFound', storage: 'notFound' },
  tokenNotFound: { status: 404, stream: 'tokenNotFound', storage: 'storage.tokens.notFound' },
  tableNotFound: { status: 404, stream: 'tableNotFound', storage: 'storage.tables.notFound' },
  componentNotFound: { status: 404, stream: 'componentNotFound', storage: 'notFound' },
  configurationNotFound: { status: 404, stream: 'configurationNotFound', storage: 'notFound' },
  vaultVariableNotFound: { status: 404, stream: 'vaultVariableNotFound', storage: 'notFound' },
  endpointNotFound: { status: 404, stream: 'endpointNotFound', storage: 'notFound' },
  methodNotAllowed: { status: 405, stream: 'methodNotAllowed', storage: 'methodNotAllowed' },
  requestTimeout: { status: 408, stream: 'requestTimeout', storage: 'requestTimeout' },
  sourceAlreadyExists: { status: 409, stream: 'sourceAlreadyExists', storage: 'conflict' },
  sinkAlreadyExists: { status: 409, stream: 'sinkAlreadyExists', storage: 'conflict' },
  sourceCountLimitReached: { status: 409, stream: 'sourceCountLimitReached', storage: 'conflict' },
  sinkCountLimitReached: { status: 409, stream: 'sinkCountLimitReached', storage: 'conflict' },
  versionCountLimitReached: { status: 409, stream: 'versionCountLimitReached', storage: 'conflict' },
  tokenCountLimitReached: { status: 409, stream: 'tokenCountLimitReached', storage: 'storage.tokens.limitReached' },
  tableAlreadyExists: { status: 409, stream: 'tableAlreadyExists', storage: 'storage.tables.alreadyExists' },
  tableInUse: { status: 409, stream: 'tableInUse', storage: 'storage.tables.inUse' },
  configurationConflict: {
    status: 409,
    stream: 'configurationConflict',
    storage: 'storage.components.configurations.versionConflict',
  },
  configurationCountLimitReached: { status: 409, stream: 'configurationCountLimitReached', storage: 'conflict' },
  operationInProgress: { status: 409, stream: 'operationInProgress', storage: 'conflict' },
  sourceDisabled: { status: 409, stream: 'sourceDisabled', storage: 'conflict' },
  payloadTooLarge: { status: 413, stream: 'payloadTooLarge', storage: 'payloadTooLarge' },
  unsupportedMediaType: { status: 415, stream: 'unsupportedMediaType', storage: 'unsupportedMediaType' },
  expectationFailed: { status: 417, stream: 'expectationFailed', storage: 'expectationFailed' },
  unprocessableContent: { status: 422, stream: 'unprocessableContent', storage: 'unprocessableContent' },
  headersTooLarge: { status: 431, stream: 'headersTooLarge', storage: 'headersTooLarge' },
  clientClosed: { status: 499, stream: 'clientClosed', storage: 'clientClosed' },
  internalError: { status: 500, stream: 'internalError', storage: 'internalError' },
  notImplemented: { status: 501, stream: 'notImplemented', storage: 'notImplemented' },
  serviceUnavailable: { status: 503, stream: 'serviceUnavailable', storage: 'serviceUnavailable' },
} as const satisfies Readonly<Record<string, ApiErrorEntry>>;

export type ApiErrorName = keyof typeof apiErrors;
