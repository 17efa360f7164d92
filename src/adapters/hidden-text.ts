/** A text that prints as [redacted] and is given only when asked for, such as the `Secret` of the configuration. */
export interface HiddenText {
  reveal(): string;
}
