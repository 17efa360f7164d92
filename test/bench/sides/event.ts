/** The event that is sent: 785 bytes of JSON, of which a sink of six columns takes three paths. */
const fields = {
  id: 1234567,
  action: 'opened',
  repository: { full_name: 'millrace/millrace', private: false },
  sender: { login: 'somebody', id: 42 },
  title: 'A title of ordinary length',
};
const padding = 785 - JSON.stringify({ ...fields, text: '' }).length;
const text = JSON.stringify({ ...fields, text: 'x'.repeat(padding) });

export const event = Buffer.from(text);
export const linesPerBatch = 100;
export const batch = Buffer.from(`${text}\n`.repeat(linesPerBatch));

export const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'received' },
  { type: 'ip', name: 'ip' },
  { type: 'path', name: 'action', path: 'action', rawString: true },
  { type: 'path', name: 'repository', path: 'repository.full_name', rawString: true },
  { type: 'path', name: 'sender', path: 'sender.login', rawString: true },
];
