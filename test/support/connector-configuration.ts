import { readFile, readdir } from 'node:fs/promises';
import type { ConnectorConfiguration } from './connect.ts';

const folder = new URL('../../connectors/', import.meta.url);

/** Names of the configurations of `connectors/`. */
export async function connectorFiles(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted();
}

/** A configuration of `connectors/` as it stands there. */
export async function connectorConfiguration(file: string): Promise<ConnectorConfiguration> {
  return JSON.parse(await readFile(new URL(file, folder), 'utf8')) as ConnectorConfiguration;
}

/** What the placeholders of the configurations stand for, from the URL of a source with its secret in it. */
export function placeholders(url: string) {
  const end = url.lastIndexOf('/');
  return { ORDERS_URL: url.slice(0, end), ORDERS_SECRET: url.slice(end + 1) } as const;
}
