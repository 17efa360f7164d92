import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty, isNumeric, numberOf } from '../values/loose.ts';

/** Refuses by name what a configuration asks for and Millrace has not. */
export function refuseNotOffered(parameters: JsonObject, configs: readonly JsonObject[]): void {
  if (!isEmpty(fieldOf(parameters, 'sshProxy')) || !isEmpty(at(fieldOf(parameters, 'api'), 'sshProxy')))
    throw new ExtractorError("SSH tunnels ('sshProxy') are not offered.");
  if (!isEmpty(at(at(fieldOf(parameters, 'aws'), 'signature'), 'credentials')))
    throw new ExtractorError("Signatures for AWS ('aws.signature') are not offered.");
  for (const config of configs) {
    const level = fieldOf(config, 'compatLevel');
    if (isEmpty(level)) continue;
    if (!isNumeric(level)) throw new ExtractorError("Parameter 'config.compatLevel' must be a number.");
    if (numberOf(level) <= 1)
      throw new ExtractorError(
        "The legacy parser ('config.compatLevel' 1) is not offered; set it to 2 or leave it out.",
      );
  }
}

function at(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? fieldOf(value, name) : undefined;
}
