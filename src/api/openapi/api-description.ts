import { parseJsonText } from '../../core/parse-json-text.ts';
import type { Addresses } from '../addresses.ts';
import type { Description } from '../api-context.ts';
import type { Route } from '../route/route.ts';

export interface ApiDescriptionOptions {
  readonly routes: readonly Route[];
  readonly addresses: Pick<Addresses, 'documentation'>;
  readonly version: string;
}

const documentationPath = '/v1/documentation';

/** The OpenAPI document as text. It and what makes it are loaded at the first request for it: a start does not wait for them. */
export class ApiDescription implements Description {
  readonly #options: ApiDescriptionOptions;
  #json: Promise<string> | undefined;
  #yaml: Promise<string> | undefined;

  constructor(options: ApiDescriptionOptions) {
    this.#options = options;
  }

  json(): Promise<string> {
    this.#json ??= this.#makeJson();
    return this.#json;
  }

  yaml(): Promise<string> {
    this.#yaml ??= this.#makeYaml();
    return this.#yaml;
  }

  /** Path of the documentation as a browser asks for it: a proxy in front may add steps. */
  path(): string {
    return new URL(this.#options.addresses.documentation()).pathname;
  }

  async #makeJson(): Promise<string> {
    const { apiDocument } = await import('./api-document.ts');
    const { routes, version } = this.#options;
    const prefix = this.path().slice(0, -documentationPath.length);
    return `${JSON.stringify(apiDocument(routes, { version, serverUrl: prefix === '' ? '/' : prefix }), null, 2)}\n`;
  }

  async #makeYaml(): Promise<string> {
    const { stringify } = await import('yaml');
    const document: unknown = parseJsonText(await this.json());
    return stringify(document, { lineWidth: 120 });
  }
}
