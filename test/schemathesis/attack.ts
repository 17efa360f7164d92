import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fixParameters, type Document } from './fix-parameters.ts';

export interface Attack {
  readonly name: string;
  /** Values of path parameters; others are made up. */
  readonly fixed?: Readonly<Record<string, readonly string[]>>;
  /** Operations, by id; default: all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Of the token; default: the root's. */
  readonly role?: 'readOnly';
  /** Checks of `checks` that are left out. */
  readonly unchecked?: readonly string[];
}

export interface AttackOptions {
  readonly program: string;
  /** Base of the API. */
  readonly url: string;
  readonly token: string;
  /** For configuration, report and what the tool keeps between runs. */
  readonly folder: string;
  readonly maxExamples: number;
  readonly seed: number;
}

export interface AttackReport {
  readonly requests: number;
  /** The tool found nothing, and came to its end. */
  readonly passed: boolean;
}

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
  'use_after_free',
];

const report = z.object({ complete: z.boolean(), test_cases: z.object({ generated: z.int() }) });

/** Requests made of the description of the API, valid and invalid ones; each answer is held against the description. */
export async function attack(
  { name, fixed = {}, only = [], except = [], unchecked = [] }: Attack,
  { program, url, token, folder, maxExamples, seed }: AttackOptions,
): Promise<AttackReport> {
  const document = join(folder, `${name}.openapi.json`);
  const reportFile = join(folder, `${name}.json`);
  const described = (await (await fetch(`${url}/v1/documentation/openapi.json`)).json()) as Document;
  await writeFile(document, JSON.stringify(fixParameters(described, fixed)));
  const options = {
    url,
    header: `X-StorageApi-Token: ${token}`,
    checks: checks.filter((check) => !unchecked.includes(check)).join(','),
    'max-examples': String(maxExamples),
    seed: String(seed),
    'generation-database': 'none',
    warnings: 'off',
    // Of a parameter that is any text, hardly anything is no such: the tool would take that for a mistake of its user.
    'suppress-health-check': 'filter_too_much',
    report: 'json',
    'report-json-path': reportFile,
  };
  const args = [
    'run',
    document,
    '--continue-on-failure',
    ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    ...only.flatMap((id) => ['--include-operation-id', id]),
    ...except.flatMap((id) => ['--exclude-operation-id', id]),
  ];
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  const { complete, test_cases: cases } = report.parse(JSON.parse(await readFile(reportFile, 'utf8')));
  return { requests: cases.generated, passed: code === 0 && complete };
}
