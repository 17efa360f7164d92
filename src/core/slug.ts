/**
 * Makes an id of a name: a dash before each run of capitals, other characters to dashes, diacritics removed, dashes
 * trimmed, lower case (`My Source` gives `my-source`, `GitHub Issues` gives `git-hub-issues`). May be empty.
 */
export function slug(text: string): string {
  return text
    .replaceAll(/\p{Lu}+/gu, '-$&')
    .replaceAll(/[^a-zA-Zá-žÁ-Ž0-9]+/gu, '-')
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
}
