import { registerHooks } from 'node:module';
import { format, resolveConfig } from 'prettier';
import { apiDocument } from '../../src/api/openapi/api-document.ts';
import { routeTable } from '../../src/api/routes/families.ts';

/** Where the generated types are, from the root of the checkout. */
export const apiTypesPath = 'src/client/api-types.ts';

const head = `// Made from the description of the API by \`npm run client\`; a check fails when it is stale. Not to be edited.
/* oxlint-disable max-lines -- generated */

`;

/** The types of the API's client as they are to be, made from the route table. */
export async function apiTypesText(): Promise<string> {
  const { default: generate, astToString } = await withJavaScriptApi(() => import('openapi-typescript'));
  const document = JSON.stringify(apiDocument(routeTable, { version: '0', serverUrl: '/' }));
  const nodes = await generate(document, { defaultNonNullable: false });
  const options = await resolveConfig(apiTypesPath);
  return format(head + astToString(nodes), { ...options, filepath: apiTypesPath });
}

const shim = 'data:text/javascript,import%20{ts}%20from%20"@ts-morph/common";export%20default%20ts;';

/** The generator prints with the JavaScript API of TypeScript, which TypeScript 7 does not have; ts-morph brings one along. */
async function withJavaScriptApi<Module>(load: () => Promise<Module>): Promise<Module> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'typescript') return { url: shim, shortCircuit: true };
      if (context.parentURL === shim) return next(specifier, { ...context, parentURL: import.meta.url });
      return next(specifier, context);
    },
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
