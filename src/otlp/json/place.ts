import { shortened } from '../../core/shortened.ts';
import { OtlpFault } from '../otlp-fault.ts';

/** Where in a body its reader is: keys, and indices of arrays. */
export class Place {
  readonly #steps: (string | number)[] = [];

  enter(step: string | number): void {
    this.#steps.push(step);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** A fault of the value that is here: `rule` says what is allowed, as the end of a sentence. */
  fault(value: unknown, rule: string): OtlpFault {
    return new OtlpFault(`${this.text()}: ${valueText(value)} must be ${rule}.`);
  }

  text(): string {
    let text = '';
    for (const step of this.#steps) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${step}`;
    return text === '' ? 'The body' : text;
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return JSON.stringify(shortened(value, 100));
  return shortened(String(value), 100);
}
