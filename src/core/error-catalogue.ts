import { extractionErrors } from './extraction-errors.ts';
import { moveErrors } from './move-errors.ts';
import { requestErrors } from './request-errors.ts';

interface CatalogueEntry {
  /** The same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;
  readonly cause: string;
  /** What the operator does. */
  readonly action: string;
}

/** Every error code of the product. `docs/spec/errors.md` shows the same list; a test holds the two together. */
export const errorCatalogue = {
  'log.unavailable': {
    retryable: true,
    cause: 'The log did not answer, or the outcome of a write is unknown.',
    action: 'Check the disk or the brokers; the product repeats the call by itself.',
  },
  'log.refused': {
    retryable: true,
    cause:
      'A partition of the log takes no records now: too few replicas, no leader, or a leader that does not answer. Nothing of them was written.',
    action: 'Check the brokers; the product looks every second whether the partition is well, and goes on by itself.',
  },
  'log.diskFull': {
    retryable: true,
    cause: 'The disk of the log is full. Nothing of what was refused was written.',
    action: 'Free space or give the disk more; events are refused with 503 until then, and taken again by themselves.',
  },
  'log.full': {
    retryable: true,
    cause: 'The disk of the log, or the byte budget of the source, is used up.',
    action: 'Free space or raise the budget; events are refused with 503 until then.',
  },
  'log.topicNotFound': {
    retryable: false,
    cause: 'A topic that the catalog names does not exist in the log.',
    action: 'Restore the log, or delete and create the source or sink again.',
  },
  'log.topicExists': {
    retryable: false,
    cause: 'A topic of this name exists with another number of partitions.',
    action: 'Remove the foreign topic or choose another source id.',
  },
  'log.recordTooLarge': {
    retryable: false,
    cause: 'A record or a batch is larger than the log accepts.',
    action: 'Send smaller events or batches, or raise the limit of the topic.',
  },
  'log.undecodable': {
    retryable: true,
    cause: 'Records of a partition are damaged, or are in a format that the product does not read.',
    action:
      'Restore the partition, or delete its records past that offset: they count as holes then, and the rest goes on.',
  },
  'log.notAssigned': {
    retryable: true,
    cause: 'A partition was read or moved by a group member that does not hold it.',
    action: 'Nothing: the member takes the next assignment.',
  },
  'log.closed': {
    retryable: false,
    cause: 'The log was used after it was closed.',
    action: 'Report it: this is a defect of the product.',
  },
  'catalog.unavailable': {
    retryable: true,
    cause: 'The catalog did not answer, or the outcome of a write is unknown.',
    action: 'Check the disk or the database; the product reads again and goes on by itself.',
  },
  'catalog.invalidDocument': {
    retryable: false,
    cause: 'A document in the catalog does not have the shape that this version writes.',
    action: 'Restore the catalog, or start the version that wrote it.',
  },
  'catalog.newerDocument': {
    retryable: false,
    cause:
      'A newer release of the product wrote a document in a format that this release does not know, or must not change.',
    action:
      'Finish the upgrade: replace this process by one of the newer release. It changes nothing that it does not understand.',
  },
  'seat.lost': {
    retryable: true,
    cause: 'Another process took over the changes of the management API while this one was about to make one.',
    action: 'Nothing: what this process leaves is ended by the other one. Look at the object and try again.',
  },
  'catalog.contended': {
    retryable: true,
    cause: 'Others changed a document again and again while this process tried to change it.',
    action: 'The product tries again by itself; if it lasts, look at which processes share the catalog.',
  },
  'objects.exists': {
    retryable: false,
    cause: 'An object of this name is already there; names are never used twice.',
    action: 'Report it: this is a defect of the product.',
  },
  'objects.notFound': {
    retryable: false,
    cause: 'An object that a document names is not in staging.',
    action:
      'Restore the staging store; the slice waits aside and is tried again, others go on. It is given up after seven days of failures.',
  },
  'objects.corrupt': {
    retryable: true,
    cause: 'A staged object does not hold the bytes that were staged: its checksum differs, after it was read twice.',
    action:
      'Restore the object that the message names from a backup; its slice waits aside and is tried again, others go on.',
  },
  'objects.unavailable': {
    retryable: true,
    cause: 'The staging store, or one object in it, cannot be read or written, or there is no space left.',
    action:
      'Check the disk or the bucket; the product repeats the call by itself. A slice that alone cannot be read waits aside and is never given up.',
  },
  'objects.refused': {
    retryable: false,
    cause: 'The bucket is not there, or the store refuses the credentials, the certificate or the request.',
    action: 'Correct what the message names; staging and imports go on by themselves after that.',
  },
  'schemas.unavailable': {
    retryable: true,
    cause: 'The schema registry did not answer, or answered with an error of its own.',
    action: 'Check the registry; the partitions that need a schema of it wait and go on by themselves.',
  },
  'schemas.refused': {
    retryable: false,
    cause: 'The schema registry refuses the credentials or the certificate, or what answers is no registry.',
    action: 'Correct `schemaRegistry` in the topology and start the processes with the role map again.',
  },
  'schemas.missing': {
    retryable: false,
    cause: 'A source asks for decoded records, and the topology names no schema registry.',
    action: 'Add `schemaRegistry` to the topology, or set `kafka.value.format` of the source to `raw`.',
  },
  'table.notFound': {
    retryable: true,
    cause: 'The destination table does not exist.',
    action: 'Create the table again with the columns of the mapping, or change the sink.',
  },
  'table.exists': {
    retryable: false,
    cause: 'A table of this id exists already.',
    action: 'Choose another table id.',
  },
  'table.inUse': {
    retryable: false,
    cause:
      'Something depends on the table: sinks that fill it, rows that wait for it, or a view or index of its database.',
    action: 'Do with what the message names what it says, then try again.',
  },
  'table.schemaMismatch': {
    retryable: true,
    cause: 'The columns of the destination table differ from the columns of the mapping.',
    action:
      'Give the table the columns of the mapping, or change the mapping; staged data waits, and is given up after seven days of failures.',
  },
  'table.invalidContent': {
    retryable: true,
    cause: 'The table store refused the rows of a slice.',
    action:
      'Look at the message; the slice waits aside and is tried again, others go on. It is given up after seven days of failures.',
  },
  'table.lettersGone': {
    retryable: true,
    cause: 'Dead letters that a replay was to take are not in their table any more.',
    action: 'Nothing: the replay loads nothing for them, and goes on with those that are there.',
  },
  'table.unavailable': {
    retryable: true,
    cause: 'The table store did not answer, or the outcome of a transaction is unknown.',
    action: 'Check the disk or the database; the product looks up what happened and goes on by itself.',
  },
  'table.outOfMemory': {
    retryable: true,
    cause: 'The table store needs more memory than it may use, as for many long rows at once.',
    action:
      'Give it more, on a data folder by MILLRACE_TABLES_MEMORY. The import is tried by halves meanwhile; a slice that is too much alone waits aside and is never given up.',
  },
  'table.ledgerMismatch': {
    retryable: true,
    cause: 'The import ledger of a sink does not fit its progress document, as after a restore in the wrong order.',
    action: 'Restore catalog and tables from the same moment; the sink stays stopped until they agree.',
  },
  'sink.tokenMissing': {
    retryable: true,
    cause: 'The token of a sink was deleted or has lost its rights.',
    action:
      'Disable and enable the sink: that makes a new token. Slices that failed for it for seven days are given up, and counted.',
  },
  'stage.full': {
    retryable: true,
    cause: 'More slices of a sink wait for their import than a sink may hold.',
    action: 'Look why the import does not go on; the log keeps the events, and staging goes on by itself.',
  },
  'sink.deleted': {
    retryable: false,
    cause: 'The sink was deleted while its dead letters were replayed.',
    action: 'Nothing: the letters that were not replayed stay in their table. A sink that comes back begins with none.',
  },
  'sink.standstill': {
    retryable: true,
    cause:
      'A stage of a sink has work and has not moved for much longer than its triggers allow, and nothing says why.',
    action: 'Look at the log of the processes with that role, and report it; it closes by itself when the stage moves.',
  },
  'retain.clockDoubted': {
    retryable: true,
    cause: 'The clock of the machine was set by more than an hour while the product ran.',
    action:
      'Set the clock right and keep it so (NTP). Until it has run evenly for a day no event is removed because of its age; watch the disk.',
  },
  'stage.outrun': {
    retryable: true,
    cause:
      'An upload of a slice took longer than six hours, or a clock is far behind: the clean-up may have removed its objects.',
    action:
      'Look at the line to the staging store and at the clocks of the machines; the slice is uploaded again by itself.',
  },
  'stage.slow': {
    retryable: true,
    cause: 'A slice has waited for more than 30 seconds for its upload or for its entry in the catalog.',
    action:
      'Look at the staging store, the line to it and the catalog. Nothing is lost; it ends by itself when slices get through in time.',
  },
  'stage.altered': {
    retryable: true,
    cause: 'The local file of a slice does not hold the lines that were written to it; nothing of it was staged.',
    action:
      'Look at the disk and the memory of that machine, and at what else writes to its folder; the slice is made again from the log by itself.',
  },
  ...requestErrors,
  ...extractionErrors,
  'source.leftovers': {
    retryable: false,
    cause: 'A source was deleted with its tables, and a table or bucket could not be removed.',
    action: 'The message names them with the reason; nothing uses them any more: remove them in the table store.',
  },
  'sink.notDelivered': {
    retryable: true,
    cause: 'A flush was asked for, and the sink cannot deliver.',
    action:
      'Look at the reason in the message or on the progress page of the sink; it goes on by itself when that heals.',
  },
  'progress.gap': {
    retryable: true,
    cause: 'The topic of a sink has lost outcomes that it needs, and they were not mapped again.',
    action:
      'Look whether the mapping of the sink runs: it is to map them again, and the sink goes on by itself then. If it runs, keep the data folder and report it.',
  },
  'progress.logBehind': {
    retryable: true,
    cause: 'A log ends below a position that is already in the catalog, as after a restore of an older log.',
    action: 'Restore log and catalog from the same moment.',
  },
  'progress.logCut': {
    retryable: false,
    cause:
      'The topic of a source has lost its end, and with it events that a sink has taken, as after an unclean election of a leader or a power cut of its only replica. Their offsets belong to other events by now.',
    action:
      'Delete the sink and create it again: from then on it takes what comes. What senders were acknowledged meanwhile is still in the topic; a sink on another table that begins with the earliest events has it.',
  },
  'progress.topicChanged': {
    retryable: true,
    cause: 'A topic was made anew under the same name; its offsets no longer mean what the catalog knows.',
    action:
      'Delete the sink, or the source if the topic is its own, and create it again: what can still be delivered is, and the rest is gone, counted as holes where the catalog knows of it.',
  },
  'data.locked': {
    retryable: false,
    cause: 'Another process works on this data folder.',
    action: 'Stop it, or choose another folder with --data-dir or MILLRACE_DATA_DIR.',
  },
  'data.newerFormat': {
    retryable: false,
    cause: 'The data folder was written by a newer version of the product.',
    action: 'Start that version or a newer one.',
  },
  'data.unusable': {
    retryable: false,
    cause: 'The data folder cannot be read or written.',
    action: 'Check its owner, its mode and the free space; bring a damaged file back from a backup.',
  },
  'data.broken': {
    retryable: false,
    cause:
      'A write or a sync of a file of the log or of the catalog failed; what is on the disk is not known any more.',
    action: 'Look at the disk. The process has ended by itself: start it again; nothing that was acknowledged is lost.',
  },
  'thread.silent': {
    retryable: true,
    cause: 'A thread of the process gave no sign of life, or its work stood still.',
    action: 'Nothing: another thread has taken its place. Report it with the log around it when it happens again.',
  },
  'thread.hung': {
    retryable: false,
    cause: 'A thread hangs where nothing in the process can end it, as in a call to a disk that does not answer.',
    action: 'Look at the disk. The process has ended by itself: start it again; nothing that was acknowledged is lost.',
  },
  'thread.otherBuild': {
    retryable: false,
    cause:
      'Files of another version are in the place of those that the process began with. A new thread would run other code than the rest of it.',
    action: 'Restart the process. Until then the threads that run go on, and nothing that was acknowledged is lost.',
  },
  ...moveErrors,
  'config.invalid': {
    retryable: false,
    cause: 'A variable, a file or an argument of the configuration is wrong.',
    action: 'Correct what the message names.',
  },
  'cluster.unfit': {
    retryable: false,
    cause: 'Something about the servers of a topology keeps the product from working, or from keeping its promises.',
    action:
      'Mend what the message or the findings say; `millrace doctor`, with the same topology and environment, looks at all servers.',
  },
  'client.unreachable': {
    retryable: true,
    cause: 'No process answers at the address of the admin API.',
    action:
      'Start it with "millrace start", or say where it runs: --data-dir or MILLRACE_DATA_DIR, on another machine MILLRACE_URL.',
  },
  'client.unauthorized': {
    retryable: false,
    cause: 'A command has no token, or one that the process does not accept.',
    action:
      'Set MILLRACE_TOKEN to a token of the installation, or name the folder of the process: --data-dir or MILLRACE_DATA_DIR.',
  },
  'client.refused': {
    retryable: false,
    cause: 'The process refused what a command asked for, or did not manage it.',
    action: 'Correct what the message names.',
  },
  'client.differs': {
    retryable: false,
    cause: 'A "diff" found differences, or what a command asked was not answered with "yes".',
    action: 'Nothing is wrong; "millrace apply" makes it as the files say.',
  },
  'client.incomparable': {
    retryable: false,
    cause: 'A "diff" could not read what it compares.',
    action: 'Correct what the message names.',
  },
  'client.unfit': {
    retryable: false,
    cause: 'A "doctor" found something wrong with the servers of a topology.',
    action: 'Mend what it marks as wrong: ✗ in the list, "bad" in JSON.',
  },
  'client.unaccounted': {
    retryable: false,
    cause: 'A "report" found events that are missing or lost, or could not find out whether there are some.',
    action: 'Look at what the verdict names: `millrace why SOURCE/SINK` says what keeps a sink, and what it lost.',
  },
  'client.incomplete': {
    retryable: false,
    cause: 'Some of the events of a "send" were not accepted.',
    action: 'Look at the lines above the message, and send what they name again.',
  },
  'client.templateFailed': {
    retryable: false,
    cause: 'The template of a "jsonnet" command is wrong, failed, or hit a limit.',
    action: 'Correct the template at the place that the message names.',
  },
  'client.notRendered': {
    retryable: false,
    cause:
      'The configuration of a "variables" command cannot be rendered: a value is missing, or a placeholder is wrong.',
    action: 'Give the value, or correct the placeholder, that the message names.',
  },
  'client.outputFailed': {
    retryable: false,
    cause: 'What a command prints cannot be written to standard output.',
    action: 'Look at the free space and the rights of the file that the output goes to, and run the command again.',
  },
  'input.invalid': {
    retryable: false,
    cause: 'A value from outside does not follow its rule.',
    action: 'Correct the field that the message names.',
  },
  'internal.bug': {
    retryable: false,
    cause: 'A state that should not exist.',
    action: 'Report it with the log around it.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ErrorCode = keyof typeof errorCatalogue;
