/** Shorter ones stand in every other word: they would tell more by being hidden. */
const shortest = 3;
const mark = '[hidden]';
/** What means something in a regular expression. */
const special = /[.*+?^${}()|[\]\\/]/g;

/** Replaces secrets in texts that people read. */
export class HiddenValues {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  /** From now on this is shown as `[hidden]`: as it is, in a URL, and in JSON. */
  add(value: string): void {
    if (value.length < shortest) return;
    const inUrl = encodeURIComponent(value.toWellFormed());
    const inJson = JSON.stringify(value).slice(1, -1);
    for (const form of [value, inUrl, inUrl.replaceAll('%20', '+'), inJson, inJson.replaceAll('/', '\\/')])
      this.#forms.add(form);
    this.#pattern = undefined;
  }

  hide(text: string): string {
    if (this.#forms.size === 0) return text;
    // The longest first: one secret may begin like another.
    this.#pattern ??= new RegExp(
      [...this.#forms]
        .toSorted((one, other) => other.length - one.length)
        .map((form) => form.replace(special, String.raw`\$&`))
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, mark);
  }
}
