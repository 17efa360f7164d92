/** Of backups, of moves from one process to a cluster, and of stores that are another's: a part of the catalogue of errors. */
export const moveErrors = {
  'backup.failed': {
    retryable: true,
    cause: 'A backup could not be made or restored, for example because a disk is full.',
    action:
      'Mend what the message says and begin anew; nothing of the product was changed, and what was written is removed.',
  },
  'migration.refused': {
    retryable: false,
    cause: 'What one process has cannot be moved to this cluster as it is, or the cluster is not empty.',
    action:
      'Do what the message says, then run "millrace migrate" again. Nothing was moved; the process may be started.',
  },
  'migration.failed': {
    retryable: true,
    cause: 'A migration could not go on: what was copied is not what is in the data folder.',
    action: 'Run "millrace migrate" again: it goes on where it was. Nothing of the data folder was changed.',
  },
  'migration.unfinished': {
    retryable: false,
    cause: 'A process was started on a cluster that a migration has not filled completely.',
    action: 'Run "millrace migrate" again with the same data folder and topology: it goes on where it was.',
  },
  'migration.done': {
    retryable: false,
    cause: 'A process was started on a data folder whose content was moved to a cluster.',
    action:
      'Start the processes of the cluster. The folder is kept as it was at that moment, and nothing works on it any more: remove it when you do not need it.',
  },
  'installation.foreign': {
    retryable: false,
    cause: 'A store has the mark of another installation: its catalog is another one.',
    action:
      'Correct the topology, or the prefix of the bucket. Nothing of that store is removed. To take it over, see docs/guides/cluster.md.',
  },
  'installation.elsewhere': {
    retryable: false,
    cause: 'A process has another store than the other processes of its installation: its topology is another one.',
    action:
      'Give all processes the same topology. When the store has moved, stop all of them and run "millrace claim" with the topology that is right.',
  },
  'installation.unmarked': {
    retryable: false,
    cause: 'A store that should have the mark of this installation has none, or holds what its catalog cannot know.',
    action:
      'Correct the topology, or restore the store. When it is the right one, run "millrace claim"; nothing is removed until then.',
  },
} as const;
