/** Why something that somebody asked for cannot be: part of the catalogue of errors. */
export const requestErrors = {
  'bucket.invalid': {
    retryable: false,
    cause: 'A bucket was asked for that cannot be: its stage, its name or its description is not possible.',
    action: 'Give a stage "in" or "out" and a name as the text says.',
  },
  'column.invalid': {
    retryable: false,
    cause: 'A column was asked for with a name that no column can have.',
    action: 'Give it another name, as the text says.',
  },
  'column.exists': {
    retryable: false,
    cause: 'The table has a column of this name already, in one letter case or another.',
    action: 'Choose another name.',
  },
  'column.notFound': {
    retryable: false,
    cause: 'The table has no column of this name.',
    action: 'Look at the columns of the table; letter case counts.',
  },
  'column.last': {
    retryable: false,
    cause: 'The last column of a table was to be dropped.',
    action: 'Delete the table, or add another column first.',
  },
  'file.notFound': {
    retryable: false,
    cause: 'There is no file of this id, or its time is over.',
    action: 'Look at the list of the files; prepare it again.',
  },
  'file.notUploaded': {
    retryable: false,
    cause: 'A file was prepared, and its content has not been uploaded.',
    action: 'Upload it to the URL that the answer to its preparation names.',
  },
  'file.uploaded': {
    retryable: false,
    cause: 'A file that has its content already was to be uploaded again.',
    action: 'Prepare another file.',
  },
  'file.otherSize': {
    retryable: false,
    cause: 'An upload has another size than was announced for its file.',
    action: 'Upload it whole, or prepare a file with its real size.',
  },
  'file.tooLarge': {
    retryable: false,
    cause: 'A file is larger than one may be.',
    action: 'Split it, or compress it with gzip.',
  },
  'file.tooMany': {
    retryable: false,
    cause: 'There are as many files as there may be.',
    action: 'Delete those that nobody uses; others go when their time is over.',
  },
  'file.tooManyTags': {
    retryable: false,
    cause: 'A file has as many tags as one may have.',
    action: 'Remove tags that nobody looks for.',
  },
  'file.busy': {
    retryable: true,
    cause: 'As many files are being uploaded as a process takes at a time.',
    action: 'Try again when some have ended.',
  },
  'file.noSpace': {
    retryable: true,
    cause: 'The disk on which uploads pass through a process is full.',
    action: 'Free space in its data folder.',
  },
  'file.brokenOff': {
    retryable: true,
    cause: 'An upload ended before it was complete, or took too long.',
    action: 'Upload the file again, to the same URL while it is valid.',
  },
  'file.tooSlow': {
    retryable: true,
    cause: 'The bytes of an upload came more slowly than an upload may, or not at all.',
    action: 'Upload the file again, over a connection that is well; compress it with gzip.',
  },
  'import.invalid': {
    retryable: false,
    cause: 'A file that a table was to be loaded from is no CSV, or does not fit the table. Nothing was loaded.',
    action: 'Look at the line and the column that the text names; correct the file or give its form.',
  },
  'import.tableExists': {
    retryable: false,
    cause: 'A table was to be made of a file, and it exists already.',
    action: 'Import into it, or choose another name.',
  },
  'import.notFound': {
    retryable: false,
    cause: 'There is no job of the storage interface of this number, or it is not kept any more.',
    action: 'Look at the list of the jobs of the storage interface.',
  },
  'import.tooMany': {
    retryable: true,
    cause: 'As many loads of files wait or run as may do so.',
    action: 'Wait until some have ended.',
  },
  'bucket.notFound': {
    retryable: false,
    cause: 'There is no bucket of this id: nobody has made it, and no table is in it.',
    action: 'Look at the list of the buckets.',
  },
  'bucket.exists': {
    retryable: false,
    cause: 'A bucket of this id exists already, in one letter case or another.',
    action: 'Use it, or choose another name.',
  },
  'bucket.notEmpty': {
    retryable: false,
    cause: 'A bucket with tables was to be deleted.',
    action: 'Delete its tables first, or give "force" to delete them with it.',
  },
  'bucket.tooMany': {
    retryable: false,
    cause: 'There are as many buckets as there may be.',
    action: 'Delete those that nobody uses.',
  },
  'source.notFound': {
    retryable: false,
    cause: 'The branch has no source of this id, or it is deleted.',
    action: 'Look at the list of the sources of the branch.',
  },
  'source.notDeleted': {
    retryable: false,
    cause: 'The branch has no deleted source of this id that can come back.',
    action: 'Look at the list of the deleted sources of the branch; one that was deleted for good does not come back.',
  },
  'source.versionNotFound': {
    retryable: false,
    cause: 'The source has no version of this number.',
    action: 'Look at the list of its versions.',
  },
  'source.exists': {
    retryable: false,
    cause: 'The branch has a source of this id already.',
    action: 'Choose another id, or change the source that is there.',
  },
  'source.tooMany': {
    retryable: false,
    cause: 'The branch has as many sources as a branch may have.',
    action: 'Delete those that nobody uses, or use another branch.',
  },
  'source.disabled': {
    retryable: false,
    cause: 'A sink cannot be enabled while its source is disabled.',
    action: 'Enable the source.',
  },
  'sink.notFound': {
    retryable: false,
    cause: 'The source has no sink of this id, or it is deleted.',
    action: 'Look at the list of the sinks of the source.',
  },
  'sink.notDeleted': {
    retryable: false,
    cause: 'The source has no deleted sink of this id.',
    action: 'Look at the list of the deleted sinks of the source.',
  },
  'sink.versionNotFound': {
    retryable: false,
    cause: 'The sink has no version of this number.',
    action: 'Look at the list of its versions.',
  },
  'sink.exists': {
    retryable: false,
    cause: 'The source has a sink of this id already.',
    action: 'Choose another id, or change the sink that is there.',
  },
  'sink.tooMany': {
    retryable: false,
    cause: 'The source has as many sinks as a source may have.',
    action: 'Delete those that nobody uses, or make another source.',
  },
  'version.tooMany': {
    retryable: false,
    cause: 'A source or a sink has as many versions as one may have.',
    action: 'Make another source or sink, or delete it for good and create it again.',
  },
  'component.notFound': {
    retryable: false,
    cause: 'There is no component of this id.',
    action: 'Look at the list of the components.',
  },
  'configuration.notFound': {
    retryable: false,
    cause:
      'The component has no configuration of this id in the branch, or it is deleted; or it has no such row or version.',
    action: 'Look at the list of its configurations; one that is deleted is in the list with `isDeleted=1`.',
  },
  'configuration.exists': {
    retryable: false,
    cause: 'The component has a configuration of this id in the branch already, or the configuration a row of this id.',
    action: 'Choose another id, or change what is there.',
  },
  'configuration.tooMany': {
    retryable: false,
    cause: 'The component has as many configurations in the branch as it may have, or the configuration as many rows.',
    action: 'Delete those that nobody uses, or use another branch.',
  },
  'configuration.conflict': {
    retryable: true,
    cause: 'Somebody else has changed the configuration at the same time.',
    action: 'Look at the configuration, and make the change again.',
  },
  'secret.noKey': {
    retryable: false,
    cause: 'A value that is a secret was to be stored, and the installation has no key to encrypt it with.',
    action: 'Set `MILLRACE_ENCRYPTION_KEYS` to the same in all processes with the roles admin and work.',
  },
  'secret.foreign': {
    retryable: false,
    cause: 'A ciphertext was made for another component or by another installation, or its key is gone.',
    action: 'Send the value itself, or add the key to `MILLRACE_ENCRYPTION_KEYS`.',
  },
  'secret.tooMany': {
    retryable: false,
    cause: 'A configuration has more secrets, values of keys with `#`, than one may have.',
    action: 'Put a value that stands in many places into the vault, and name it there.',
  },
  'vault.notFound': {
    retryable: false,
    cause: 'The vault of the branch, or of the project, has no value of this name.',
    action: 'Look at the list of its values.',
  },
  'vault.tooMany': {
    retryable: false,
    cause: 'The vault has as many values as it may have.',
    action: 'Delete those that nobody uses.',
  },
  'token.notFound': {
    retryable: false,
    cause: 'The project has no token of this id.',
    action: 'Look at the list of the tokens; the id is the second number in the text of a token.',
  },
  'token.tooMany': {
    retryable: false,
    cause: 'The project has as many tokens of people as it may have.',
    action: 'Delete those that nobody uses.',
  },
  'job.invalid': {
    retryable: false,
    cause:
      'A job was asked for that could never run: its component, its configuration, its values or its start are not possible.',
    action: 'Ask for it as the text says.',
  },
  'job.notFound': {
    retryable: false,
    cause: 'There is no job of this number, or it ended so long ago that it is not kept any more.',
    action: 'Look at the list of the jobs.',
  },
  'job.ended': {
    retryable: false,
    cause: 'A job that has ended cannot be killed.',
    action: 'Look at the job: its status says how it ended.',
  },
  'job.tooMany': {
    retryable: true,
    cause: 'As many jobs wait or run as may do so.',
    action: 'Wait until some have ended, or kill those that nobody needs.',
  },
  'schedule.invalid': {
    retryable: false,
    cause:
      'A schedule was given that could never be kept: its expression, its time zone, its values or its component are not possible.',
    action: 'Give it as the text says.',
  },
  'schedule.notFound': {
    retryable: false,
    cause: 'The configuration has no schedule.',
    action: 'Set one with `millrace config schedule set`, or by a PUT to where it was looked for.',
  },
  'object.busy': {
    retryable: true,
    cause: 'Another operation runs on the same object.',
    action: 'Wait until its task has finished, and ask again.',
  },
  'task.tooMany': {
    retryable: true,
    cause: 'The process runs as many tasks as it may run at a time.',
    action: 'Ask again later.',
  },
  'process.stopping': {
    retryable: true,
    cause: 'The process stops and begins nothing any more.',
    action: 'Ask another process, or this one when it has started again.',
  },
  'input.forbidden': {
    retryable: false,
    cause: 'The token of the call may not do this, or nobody may over the API.',
    action: 'Use a token that may, or do what the message says instead.',
  },
  'backup.refused': {
    retryable: false,
    cause: 'No backup can be made there, or of this installation.',
    action:
      'Give a folder that does not exist yet, outside of the data folder, on a disk that has room for it. For a cluster see docs/guides/cluster.md.',
  },
  'input.unsupported': {
    retryable: false,
    cause: 'What was sent is in a form that is not read, for example compressed in a way that is not known.',
    action: 'Send it in one of the forms that the message names.',
  },
  'trial.busy': {
    retryable: true,
    cause:
      'Tests of payloads and checks of templates run one after the other, and as many as may wait do, or those before took the time of the request.',
    action: 'Ask again later.',
  },
  'trial.tooLong': {
    retryable: false,
    cause: 'A test of a payload, or a check of templates, ran for as long as one may, and was ended.',
    action: 'Look at the column that the message names: let its template do less. Or send less at a time.',
  },
  'input.tooLarge': {
    retryable: false,
    cause: 'What was sent, or what would be answered to it, is larger than its limit.',
    action: 'Send less at a time.',
  },
} as const;
