/** What a job tells while it runs. Debug lines are for `config.debug`. */
export interface ExtractorLog {
  debug(text: string): void;
  info(text: string): void;
  warning(text: string): void;
}
