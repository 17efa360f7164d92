import { z } from 'zod';
import { componentOf, type Component } from '../../../core/component.ts';
import type { ConfigurationKey } from '../../../core/configuration.ts';
import { defaultBranch, type BranchId } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { noConfiguration, noRow, type ComponentKey } from '../../../control/store/configurations.ts';
import { isConfigurationId } from '../../schemas/configuration-body.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { branchPath } from '../../schemas/path.ts';
import type { Route } from '../../route/route.ts';

/** Each endpoint of components is at two places: without a branch it is of the default one. */
export interface Place {
  /** What paths begin with. */
  readonly base: string;
  /** The parameter of the path, if it has one. */
  readonly branch: z.ZodObject;
  /** The name of an operation at this place. */
  operation(name: string): string;
}

const places: readonly Place[] = [
  { base: '/v2/storage', branch: z.object({}), operation: (name) => name },
  { base: '/v2/storage/branch/{branchId}', branch: branchPath, operation: (name) => `${name}InBranch` },
];

/** The routes of an endpoint, at both places. */
export function atBothPlaces(make: (place: Place) => Route): readonly Route[] {
  return places.map(make);
}

/** Parameters of a path as they come. */
export type PathParameters = Readonly<Record<string, unknown>>;

const componentId = z.string().meta({ description: 'Or an alias of it.', example: 'generic-extractor' });
const configurationId = z.string().meta({ example: 'main' });
const rowId = z.string().meta({ example: '1' });

export const pathOf = {
  component: ({ branch }: Place) => branch.extend({ componentId }),
  configuration: ({ branch }: Place) => branch.extend({ componentId, configurationId }),
  row: ({ branch }: Place) => branch.extend({ componentId, configurationId, rowId }),
};

/** The branch of a path; the default one where it names none. */
export function branchIn(parameters: PathParameters): BranchId {
  const { branchId } = parameters;
  return typeof branchId === 'string' ? branchOf({ branchId }) : defaultBranch;
}

/** `component.notFound` for an id that no component has. */
export function componentIn(parameters: PathParameters): Component {
  const id = textOf(parameters, 'componentId');
  const component = componentOf(id);
  if (component !== undefined) return component;
  throw new MillraceError('component.notFound', `Component "${id.slice(0, 100)}" not found`);
}

export function componentKeyOf(parameters: PathParameters): ComponentKey {
  return { branchId: branchIn(parameters), componentId: componentIn(parameters).id };
}

/** An id that none can have is `configuration.notFound`. */
export function configurationKeyOf(parameters: PathParameters): ConfigurationKey {
  const id = textOf(parameters, 'configurationId');
  const component = componentKeyOf(parameters);
  if (!isConfigurationId(id)) throw noConfiguration(id);
  return { ...component, configurationId: id };
}

export function rowIdOf(parameters: PathParameters): string {
  const id = textOf(parameters, 'rowId');
  if (!isConfigurationId(id)) throw noRow(id);
  return id;
}

/** The number of a version, whatever the schema made of it. */
export function versionOf({ versionNumber }: PathParameters): number {
  return Number(versionNumber);
}

function textOf(parameters: PathParameters, name: string): string {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
}
