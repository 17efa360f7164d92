import { InvalidArgumentError, Option } from 'commander';
import { servedSourceTypes, whyUnserved, type ServedSourceType } from '../../core/source.ts';

/** `--type`: what a source receives. */
export function typeOption(description: string): Option {
  return new Option('--type <type>', description).choices(servedSourceTypes).argParser(parseType);
}

function parseType(text: string): ServedSourceType {
  const type = servedSourceTypes.find((served) => served === text);
  if (type !== undefined) return type;
  throw new InvalidArgumentError(`${whyUnserved(text) ?? `Allowed choices are ${servedSourceTypes.join(', ')}`}.`);
}
