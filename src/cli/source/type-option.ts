import { InvalidArgumentError, Option } from 'commander';
import { sourceTypes, type SourceType } from '../../core/source.ts';

/** `--type`: what a source receives. */
export function typeOption(description: string): Option {
  return new Option('--type <type>', description).choices(sourceTypes).argParser(parseType);
}

function parseType(text: string): SourceType {
  const type = sourceTypes.find((known) => known === text);
  if (type !== undefined) return type;
  throw new InvalidArgumentError(`Allowed choices are ${sourceTypes.join(', ')}.`);
}
