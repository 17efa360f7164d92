import { arrays } from './arrays.ts';
import { booleans } from './booleans.ts';
import type { Builtin } from './builtin.ts';
import { comparing } from './comparing.ts';
import { debugging } from './debugging.ts';
import { encodings } from './encoding.ts';
import { external } from './external.ts';
import { formats } from './format.ts';
import { hashes } from './hashes.ts';
import { iniOutput } from './manifest-ini.ts';
import { jsonOutput } from './manifest-json.ts';
import { pythonOutput } from './manifest-python.ts';
import { tomlOutput } from './manifest-toml.ts';
import { xmlOutput } from './manifest-xml.ts';
import { yamlOutput } from './manifest-yaml.ts';
import { math } from './math.ts';
import { objects } from './objects.ts';
import { ordering } from './ordering.ts';
import { parsing } from './parse.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { typesOfValues } from './types.ts';

/** Every function of `std`. */
export const builtins: readonly Builtin[] = [
  ...typesOfValues,
  ...booleans,
  ...math,
  ...strings,
  ...formats,
  ...arrays,
  ...ordering,
  ...comparing,
  ...sets,
  ...objects,
  ...jsonOutput,
  ...yamlOutput,
  ...tomlOutput,
  ...iniOutput,
  ...pythonOutput,
  ...xmlOutput,
  ...parsing,
  ...encodings,
  ...hashes,
  ...debugging,
  ...external,
];
