import { hiddenValue } from '../core/jobs/job-values.ts';
import { TextTree } from './text-tree.ts';

/** Shorter ones stand in every other word: they would tell more by being hidden. */
const shortest = 3;
/** Longer ones are no part of an authorization, and three more forms of them would take their memory once more. */
const longestInBase64 = 4096;
/** Shorter pieces of Base64 stand in other words, too. */
const shortestInBase64 = 8;
/** A longer form is hidden piece by piece, a whole one as well as what is left of one that was cut. */
const pieceLength = 1024;

/**
 * Replaces secrets in texts that people read. D8: what it takes grows with the secrets and with the texts, not with one times the other, so
 * that thousands of secrets, or some of megabytes, hold nobody up.
 */
export class HiddenValues {
  /** Names of variables whose values are secret. */
  readonly variables = new Set<string>();
  readonly #pieces = new TextTree();
  /** The first characters of pieces: at most places of a text there is none of them. */
  readonly #starts = new Set<string>();
  readonly #values = new Set<string>();
  #characters = 0;

  /** Of all secrets, each once. */
  get characters(): number {
    return this.#characters;
  }

  /** From now on this is shown as `[hidden]`: as it is, in a URL, in JSON, and as a part of what is in Base64. */
  add(value: string): void {
    if (value.length < shortest || this.#values.has(value)) return;
    this.#values.add(value);
    this.#characters += value.length;
    for (const piece of new Set(formsOf(value).flatMap(piecesOf))) {
      this.#pieces.add(piece);
      this.#starts.add(piece.slice(0, shortest));
    }
  }

  hide(text: string): string {
    const shown: string[] = [];
    let copied = 0;
    for (let at = 0; at + shortest <= text.length;) {
      const isStart = this.#starts.has(text.slice(at, at + shortest));
      const length = isStart ? this.#pieces.longestAt(text, at) : 0;
      if (length === 0) {
        at += 1;
        continue;
      }
      // What follows a secret at once may be the next piece of it.
      if (at > copied || copied === 0) shown.push(text.slice(copied, at), hiddenValue);
      at += length;
      copied = at;
    }
    return copied === 0 ? text : shown.join('') + text.slice(copied);
  }
}

function piecesOf(form: string): readonly string[] {
  const count = Math.max(1, Math.floor(form.length / pieceLength));
  return Array.from({ length: count }, (_, at) =>
    form.slice(at * pieceLength, at === count - 1 ? undefined : (at + 1) * pieceLength),
  );
}

function formsOf(value: string): readonly string[] {
  const wellFormed = value.toWellFormed();
  const inUrl = encodeURIComponent(wellFormed);
  const inJson = JSON.stringify(value).slice(1, -1);
  const texts = [value, inUrl, inUrl.replaceAll('%20', '+'), inJson, inJson.replaceAll('/', String.raw`\/`)];
  if (value.length > longestInBase64) return texts;
  return [
    ...texts,
    ...inBase64(Buffer.from(wellFormed)).flatMap((one) => [one, urlSafe(one), encodeURIComponent(one)]),
  ];
}

/** What Base64 makes of it behind nothing, one and two other bytes, without the characters that have bits of its neighbours. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2]
    .map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
      return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    })
    .filter((text) => text.length >= shortestInBase64);
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}
