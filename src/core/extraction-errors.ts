/** What goes wrong between an extraction and the API that it asks, and in a run of the command line: part of the catalogue of errors. */
export const extractionErrors = {
  'http.noAnswer': {
    retryable: true,
    cause: 'An API that is extracted from did not answer, or not to the end.',
    action: 'Look at the message; what `retryConfig` of the configuration names is sent again by itself.',
  },
  'http.refused': {
    retryable: false,
    cause:
      'An extraction asks an address inside the network, something that is not HTTP, or follows redirects that may not be followed.',
    action: 'Correct the URL; allow a host of your own network by MILLRACE_EXTRACTOR_ALLOWED_HOSTS.',
  },
  'http.tooLarge': {
    retryable: false,
    cause: 'The answer of an API goes beyond the limit of its body or of its headers.',
    action: 'Ask for less at a time: a smaller page, fewer fields.',
  },
  'client.extractionRefused': {
    retryable: false,
    cause: 'The configuration that a "job run" runs is wrong, or the API that it asks refuses. Nothing was written.',
    action: 'Correct the configuration as the message says.',
  },
  'client.extractionBroken': {
    retryable: false,
    cause: 'A "job run" could not be done for a reason of this program or of its machine. Nothing was written.',
    action: 'Look at the disk and the rights of the folders that the message names, and run the command again.',
  },
} as const;
