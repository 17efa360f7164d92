/** What clients must know of objects that each component has its own of: a schema says no more than that they are objects. */
export const configurationWords = {
  description: [
    'What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`,',
    '`shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config`',
    '(`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`.',
    '`{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.',
  ].join(' '),
  example: {
    parameters: {
      api: { baseUrl: 'https://api.example.com/v1/', pagination: { method: 'offset', limit: 100 } },
      config: { outputBucket: 'crm', jobs: [{ endpoint: 'users', dataField: 'items' }] },
    },
  },
};

export const stateWords = {
  description: [
    'What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since',
    '1970, for `{"time": "previousStart"}` in parameters.',
  ].join(' '),
  example: { time: { previousStart: 1_767_225_600 } },
};
