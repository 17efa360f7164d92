import protobuf from 'protobufjs';
import { Undecodable } from './undecodable.ts';

const { Namespace, Root, Type, common, parse } = protobuf;
type Namespace = protobuf.Namespace;
type Root = protobuf.Root;
type Type = protobuf.Type;

/** The messages of a file. */
export interface ProtobufSchema {
  /** By its place in the file: `[0]` is the first message, `[0, 1]` the second one inside of it. */
  message(place: readonly number[]): Type | undefined;
}

/** A file that another one imports, under the name that stands in the import. */
export interface ProtobufImport {
  readonly name: string;
  readonly text: string;
}

/** Reads a file and what it imports; Google's own files need not be given. What cannot be read throws. */
export function protobufSchema(text: string, imports: readonly ProtobufImport[]): ProtobufSchema {
  // Read alone first: files of one package share their namespace, and the order of its messages.
  const alone = parse(text);
  const names = messageNames(alone);
  const root = new Root();
  const parsed = [text, ...imports.map((imported) => imported.text)].map((file) => parse(file, root));
  const given = new Set(imports.map(({ name }) => name));
  for (const name of new Set(parsed.flatMap((file) => [...(file.imports ?? []), ...(file.weakImports ?? [])])))
    if (!given.has(name)) addCommon(root, name);
  root.resolveAll();
  return {
    message: (place) => {
      const name = place.reduce<MessageName | undefined>((within, index) => within?.nested[index], {
        name: '',
        nested: names,
      })?.name;
      return name === undefined || name === '' ? undefined : root.lookupType(name);
    },
  };
}

function addCommon(root: Root, name: string): void {
  const nested = common.get(name)?.nested;
  if (nested === undefined) throw new Undecodable(`its schema imports "${name}", and has no reference of this name`);
  root.addJSON(nested);
}

interface MessageName {
  /** With the package and a dot before it. */
  readonly name: string;
  readonly nested: readonly MessageName[];
}

function messageNames({ root, package: name }: protobuf.IParserResult): readonly MessageName[] {
  const namespace = name === undefined ? root : root.lookup(name);
  return namespace instanceof Namespace ? typesIn(namespace) : [];
}

function typesIn({ nestedArray }: Namespace): readonly MessageName[] {
  return nestedArray.filter(isType).map((type) => ({ name: type.fullName, nested: typesIn(type) }));
}

function isType(found: protobuf.ReflectionObject): found is Type {
  return found instanceof Type;
}
