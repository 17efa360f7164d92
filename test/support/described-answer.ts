import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { apiDocument } from '../../src/api/openapi/api-document.ts';
import { routeTable } from '../../src/api/routes/families.ts';

export interface Answer {
  readonly method: string;
  /** Path with its query, as it was asked. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

interface Media {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly error?: string; readonly code?: string } }>>;
}

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Described>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

/** Refusals that come before an operation is known. */
const beforeOperation: readonly number[] = [405, 417, 431, 499, 501];

/**
 * Throws when an answer of the API is not what its description says: status, content type, and every field of a JSON body. The
 * description lets answers grow; this does not, so that a field nobody described is found.
 */
export function checkAnswer(answer: Answer): void {
  described ??= new Description();
  const fault = described.faultOf(answer);
  if (fault === undefined) return;
  const { method, path, status, text } = answer;
  throw new Error(
    `${method} ${path} answered ${status}, and the API's description says otherwise: ${fault}\n${text.slice(0, 2000)}`,
  );
}

let described: Description | undefined;

class Description {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly path: string; readonly pattern: RegExp }[];
  /** By path as it was asked: tests ask for the same again and again, and there are a few hundred routes. */
  readonly #found = new Map<string, string | undefined>();

  constructor() {
    const document: unknown = JSON.parse(JSON.stringify(apiDocument(routeTable, { version: '0', serverUrl: '/' })));
    close(document);
    this.#document = document as Document;
    ajvFormats.default(this.#ajv);
    this.#ajv.addSchema(document as object, 'api');
    this.#paths = routeTable.map(({ path }) => ({ path: path.replaceAll('*}', '}'), pattern: patternOf(path) }));
  }

  faultOf(answer: Answer): string | undefined {
    const { method, status } = answer;
    const path = answer.path.split('?')[0] ?? '';
    const route = this.#routeOf(path);
    if (route === undefined) return this.#faultOutside(path, answer);
    const operation = this.#document.paths[route]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (operation === undefined || beforeOperation.includes(status)) return this.#faultOutside(path, answer);
    const response = operation.responses[String(status)];
    if (response === undefined) return `it knows only the statuses ${Object.keys(operation.responses).join(', ')}`;
    const { $ref } = response;
    const place = $ref ?? pointer(['paths', route, method.toLowerCase(), 'responses', String(status)]);
    const { content = {} } =
      $ref === undefined ? response : (this.#document.components.responses[$ref.split('/').at(-1) ?? ''] ?? {});
    return this.#contentFault(content, place, answer);
  }

  #routeOf(path: string): string | undefined {
    if (!this.#found.has(path)) this.#found.set(path, this.#paths.find(({ pattern }) => pattern.test(path))?.path);
    return this.#found.get(path);
  }

  #contentFault(
    content: Readonly<Record<string, Media>>,
    place: string,
    { contentType, text, status }: Answer,
  ): string | undefined {
    const type = contentType?.split(';')[0]?.trim().toLowerCase();
    if (type === undefined) return text === '' ? undefined : 'a body has a content type';
    const media = content[type];
    if (media === undefined) return `it knows only the content types ${Object.keys(content).join(', ') || '(none)'}`;
    if (type !== 'application/json' || text === '') return undefined;
    if (media.schema === undefined) return 'it has no schema';
    const body: unknown = JSON.parse(text);
    const fault = this.#bodyFault(`${place}/content/application~1json/schema`, body);
    return fault ?? (status >= 400 ? nameFault(media, body) : undefined);
  }

  #faultOutside(path: string, { status, text, contentType }: Answer): string | undefined {
    if (status < 400 || !contentType?.startsWith('application/json')) return undefined;
    const schema = path === '/v2' || path.startsWith('/v2/') ? 'StorageError' : 'Error';
    return text === '' ? undefined : this.#bodyFault(`#/components/schemas/${schema}`, JSON.parse(text));
  }

  #bodyFault(place: string, body: unknown): string | undefined {
    const validate = this.#validators.get(place) ?? this.#ajv.compile({ $ref: `api${place}` });
    this.#validators.set(place, validate);
    return validate(body)
      ? undefined
      : this.#ajv.errorsText(validate.errors, { dataVar: 'body', separator: '\n' }) + extra(validate);
  }
}

/** A refusal is one of those that stand as examples of the status. */
function nameFault({ examples }: Media, body: unknown): string | undefined {
  if (examples === undefined) return undefined;
  const name = nameOf(body as { code?: string; error?: string });
  const known = Object.values(examples).map(({ value }) => nameOf(value));
  return known.includes(name)
    ? undefined
    : `it knows only the refusals ${known.join(', ')}: name this one in \`refuses\` of the route`;
}

function nameOf({ code, error }: { readonly code?: string; readonly error?: string }): string | undefined {
  return code ?? error;
}

function extra({ errors }: ValidateFunction): string {
  const names = (errors ?? []).flatMap(({ params }) => (params['additionalProperty'] as string | undefined) ?? []);
  return names.length === 0 ? '' : `\nnot described: ${names.join(', ')}`;
}

function pointer(steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  const steps = source.replaceAll(/\{\w+\\\*\}/g, '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${steps}/?$`);
}

/** Takes back the freedom to grow. */
function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('properties' in node && 'type' in node && node.type === 'object' && !('additionalProperties' in node))
    Object.assign(node, { additionalProperties: false });
  for (const child of Object.values(node)) close(child);
}
