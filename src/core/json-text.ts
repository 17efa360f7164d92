/** A valid JSON text that stands for its value where its digits and the order of its keys count. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
