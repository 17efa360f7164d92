import type { ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { apiErrors, type ApiErrorName } from './api-errors.ts';

export interface ApiErrorOptions {
  readonly cause?: unknown;
  /** Default: by the status. */
  readonly code?: ErrorCode;
  /** Response headers that belong to the refusal, for example `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

const codeOfStatus: Readonly<Record<number, ErrorCode>> = { 500: 'internal.bug', 503: 'catalog.unavailable' };

/** A refusal with the name that the client sees. `message` needs no capital and no final dot: the body makes a sentence of it. */
export class ApiError extends MillraceError {
  readonly api: ApiErrorName;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(api: ApiErrorName, message: string, { cause, code, headers = {} }: ApiErrorOptions = {}) {
    const { status } = apiErrors[api];
    super(code ?? codeOfStatus[status] ?? 'input.invalid', message, { cause });
    this.api = api;
    this.status = status;
    this.headers = headers;
  }
}
