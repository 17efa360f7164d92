import type { Mutation } from './mutation.ts';

/** Configurations of components: no secret is shown, no version is lost, nobody changes what is not theirs. */

const keys = 'src/secrets/secret-keys.test.ts';
const encrypt = 'src/secrets/encrypt-configuration.test.ts';
const api = 'src/api/configurations.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'A59: a ciphertext is bound to its component',
    file: 'src/secrets/secret-keys.ts',
    from: '\\n${installation}\\n${purpose}`',
    to: '\\n${installation}\\n`',
    test: { file: keys, title: 'does not decrypt for another component' },
  },
  {
    rule: 'A59: a ciphertext is bound to its installation',
    file: 'src/secrets/secret-keys.ts',
    from: '\\n${installation}\\n${purpose}`',
    to: '\\n${purpose}`',
    test: { file: keys, title: 'does not decrypt for another installation' },
  },
  {
    rule: 'A59: a ciphertext has one text',
    file: 'src/secrets/secret-keys.ts',
    from: " && sealed.toString('base64url') === text",
    to: '',
    test: { file: keys, title: 'another text of the same bytes' },
  },
  {
    rule: 'A59: every key decrypts',
    file: 'src/secrets/secret-keys.ts',
    from: 'this.#keys.find((one) => one.id === id)',
    to: 'this.#keys.slice(0, 1).find((one) => one.id === id)',
    test: { file: keys, title: 'keys rotate' },
  },
  {
    rule: 'A59: a value that is sent again is encrypted with the first key',
    file: 'src/secrets/encrypt-configuration.ts',
    from: 'keys.isCurrent(ciphertext) ? keys.decrypt(ciphertext, scope) : undefined',
    to: 'keys.decrypt(ciphertext, scope)',
    test: { file: encrypt, title: 'stored with an older key' },
  },
  {
    rule: 'A59: the ciphertext of a value is that of its place',
    file: 'src/secrets/encrypt-configuration.ts',
    from: 'JSON.stringify([path, value])',
    to: 'JSON.stringify([value])',
    test: { file: encrypt, title: 'at another place' },
  },
  {
    rule: 'A59: a ciphertext of somebody else is refused',
    file: 'src/secrets/encrypt-configuration.ts',
    from: 'known.has(value) || keys.decrypt(value, scope) !== undefined',
    to: 'known.has(value) || isCiphertext(value)',
    test: { file: api, title: 'or one that nobody made' },
  },
  {
    rule: 'A59: a secret beside a placeholder is one',
    file: 'src/secrets/encrypt-configuration.ts',
    from: '\\s*\\}\\}\\s*$/',
    to: '\\s*\\}\\}/',
    test: { file: encrypt, title: 'one with text around it' },
  },
  {
    rule: 'A59: a key that is written with escapes is looked at',
    file: 'src/secrets/encrypt-configuration.ts',
    from: ' || /\\\\u0023/i.test(text)',
    to: '',
    test: { file: encrypt, title: 'written with escapes' },
  },
  {
    rule: 'A59: elements of an array are values of its key',
    file: 'src/secrets/hashed-values.ts',
    from: ': top.isHashed;',
    to: ': false;',
    test: { file: 'src/secrets/hashed-values.prop.test.ts', title: 'exactly the plain values' },
  },
  {
    rule: 'A59: states hold no secret in the clear',
    file: 'src/control/configurations/configuration-changes.ts',
    from: 'encrypt(wanted.state, before.state)',
    to: 'wanted.state',
    test: { file: api, title: 'wherever they are seen' },
  },
  {
    rule: 'A58: a refused caller learns of it first',
    file: 'src/api/http/authenticate.ts',
    from: "access === 'readComponent' || access === 'writeComponent'",
    to: "access === 'readComponent'",
    test: { file: api, title: 'refused at create before anything else' },
  },
  {
    rule: 'A58: who reads does not write',
    file: 'src/api/http/authenticate.ts',
    from: 'return mayWriteComponent(token',
    to: 'return mayReadComponent(token',
    test: { file: api, title: 'refused at create before anything else' },
  },
  {
    rule: 'A58: componentAccess is for its components',
    file: 'src/core/token.ts',
    from: 'componentAccess.includes(componentId)',
    to: 'componentAccess.length > 0',
    test: { file: api, title: 'for these components alone' },
  },
  {
    rule: 'A56: nothing new makes no version',
    file: 'src/control/configurations/write-configuration.ts',
    from: 'always || before === undefined || !isDeepStrictEqual(definitionOf(draft), definitionOf(before))',
    to: 'true',
    test: { file: api, title: 'nothing new makes no version' },
  },
  {
    rule: 'A56: changes of one configuration follow each other',
    file: 'src/control/configurations/alone-on-configuration.ts',
    from: 'return tasks.serial.run(name, async () => {',
    to: 'return Promise.resolve().then(async () => {',
    test: { file: api, title: 'changes that come at once follow each other' },
  },
  {
    rule: 'A56: states stay at a rollback',
    file: 'src/control/configurations/rollback-configuration.ts',
    from: 'return { ...made, state, version:',
    to: "return { ...made, state: '{}', version:",
    test: { file: api, title: 'states stay' },
  },
  {
    rule: 'A56: deleted twice nothing is left',
    file: 'src/control/configurations/delete-configuration.ts',
    from: '  await dropVersions(catalog, configuration, options);\n',
    to: '',
    test: { file: api, title: 'deleted twice nothing of it is left' },
  },
  {
    rule: 'K2: values of the vault are changed by those who may change all',
    file: 'src/api/routes/components/vault.ts',
    from: "${all}`,\n    access: 'write'",
    to: "${all}`,\n    access: 'read'",
    test: { file: 'src/api/credentials-of-routes.test.ts', title: 'is for those who may, and for nobody else' },
  },
  {
    rule: 'K2: the token of one component is for that one',
    file: 'src/core/token.ts',
    from: 'componentAccess.includes(componentId)',
    to: 'componentAccess.length > 0',
    test: {
      file: 'src/api/isolation-of-components.test.ts',
      title: 'changes nothing of another one, also by the path of its own',
    },
  },
  {
    rule: 'A55: a branch has configurations of its own',
    file: 'src/api/routes/components/place.ts',
    from: "typeof branchId === 'string' ? branchOf({ branchId }) : defaultBranch",
    to: "typeof branchId === 'string' ? branchOf({ branchId: '12' }) : defaultBranch",
    test: { file: 'src/api/isolation-of-components.test.ts', title: 'is in no answer of another one' },
  },
];
