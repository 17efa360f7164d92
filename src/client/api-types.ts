// Made from the description of the API by `npm run client`; a check fails when it is stale. Not to be edited.
/* oxlint-disable max-lines -- generated */

export interface paths {
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lead to the API. */
    get: operations['root'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Name the API and its documentation. */
    get: operations['index'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Answer when the process serves requests. */
    get: operations['healthCheck'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show this document as a page. */
    get: operations['documentation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation/assets/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a file of the page. */
    get: operations['documentationAsset'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get this document. */
    get: operations['openApiJson'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation/openapi.yaml': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get this document. */
    get: operations['openApiYaml'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation/openapi3.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get this document. */
    get: operations['openApi3Json'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/documentation/openapi3.yaml': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get this document. */
    get: operations['openApi3Yaml'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{taskId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a task. Successful ones are kept for an hour, failed ones for two days. */
    get: operations['getTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/aggregation/sources': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sources of a branch with their sinks and the statistics of each. */
    get: operations['aggregateSources'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/conservation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell whether every event of a branch arrived: a verdict, exact numbers of each sink, and samples of them. */
    get: operations['getConservation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/ranking': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sinks with most lag, dead letters, losses and the like, most first, whether or not the metrics have a series of them. */
    get: operations['rankSinks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sources of a branch, ascending by id. */
    get: operations['listSources'];
    put?: never;
    /** Create a source, with sinks if any are given. */
    post: operations['createSource'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/deleted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sources of a branch that are deleted and can be undeleted, ascending by id. */
    get: operations['listDeletedSources'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a source, with the address that senders use. */
    get: operations['getSource'];
    put?: never;
    post?: never;
    /** Delete a source and its sinks softly, what was accepted is still delivered and tables stay; or for good, with its tables. */
    delete: operations['deleteSource'];
    options?: never;
    head?: never;
    /** Change name, description or type of a source. Another type makes another secret. */
    patch: operations['updateSource'];
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Refuse events of a source; its sinks are disabled with it. */
    put: operations['disableSource'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Take events again; sinks that were disabled with the source come back. */
    put: operations['enableSource'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/undelete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Bring a deleted source back as it was, with the sinks that were deleted with it; they take events from then on. */
    put: operations['undeleteSource'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Give a source a new secret; the one before stops at once, or after the overlap. */
    post: operations['rotateSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the settings of a source. */
    get: operations['getSourceSettings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change settings of a source. Changed conditions move what is waiting in its sinks at once. */
    patch: operations['updateSourceSettings'];
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Show what every sink makes of the events of a payload, sent as a sender would send it; nothing is stored. */
    post: operations['testSource'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the last events that a source took, or those behind a position; nothing changes by that. */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/trace': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Say where events of a source are now, for each sink, and why they are not in its table yet: by id, by place, by arrival, or by the value of a mapped column; nothing changes by that. */
    get: operations['traceEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a source, ascending by number. */
    get: operations['listSourceVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a version of a source with what it defined. */
    get: operations['getSourceVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Make a new version of a source that is like an older one; it stays enabled or disabled. */
    put: operations['rollbackSourceVersion'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/statistics/clear': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Count what is imported of all sinks of a source anew from here on. */
    delete: operations['clearSourceStatistics'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sinks of a source, ascending by id. */
    get: operations['listSinks'];
    put?: never;
    /** Create a sink; its table is made when it does not exist. */
    post: operations['createSink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/deleted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the sinks of a source that are deleted and can be undeleted, ascending by id. */
    get: operations['listDeletedSinks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a sink. */
    get: operations['getSink'];
    put?: never;
    post?: never;
    /** Delete a sink softly; what was accepted is still delivered, the table stays. */
    delete: operations['deleteSink'];
    options?: never;
    head?: never;
    /** Change a sink. Each event is mapped by exactly one version of the mapping. */
    patch: operations['updateSink'];
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Take no more events; what was accepted is still delivered, then the token of the sink is revoked. */
    put: operations['disableSink'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Take events again, from now on, with a token made anew. */
    put: operations['enableSink'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/undelete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Bring a deleted sink back as it was; it takes events from then on. */
    put: operations['undeleteSink'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the settings of a sink, inherited ones included. */
    get: operations['getSinkSettings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change settings of a sink. Changed conditions move what is waiting at once. */
    patch: operations['updateSinkSettings'];
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a sink, ascending by number. */
    get: operations['listSinkVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a version of a sink with what it defined. */
    get: operations['getSinkVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Make a new version of a sink that is like an older one; its table is checked or made as in an update. */
    put: operations['rollbackSinkVersion'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/flush': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Deliver now what was accepted before the call; the task ends when it is in the table. */
    post: operations['flushSink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/progress': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show where every event of a sink is, in exact numbers, and what keeps it if anything does; of a deleted one while something of it is left. */
    get: operations['getSinkProgress'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/why': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Say why rows of a sink are not in the table yet: what waits where, which trigger comes next, what failed and when it is tried again. */
    get: operations['getSinkWhy'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/statistics/total': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the rows of a sink, deleted or not, before staging, in staging and in the table. */
    get: operations['getSinkStatisticsTotal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/statistics/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List what was imported together, what is being imported, and what waits for it, each with its rows. */
    get: operations['getSinkStatisticsFiles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/statistics/clear': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Count what is imported of a sink anew from here on; the table and the progress of the sink stay. */
    delete: operations['clearSinkStatistics'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/imports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the last imports of a sink, the newest first; about 100 are kept. */
    get: operations['listImports'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/dead-letters': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the events that a mapping refused, whole, with the reason; those that were loaded last come first. */
    get: operations['listDeadLetters'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/dead-letters/purge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Delete dead letters of events that arrived before a moment, for good. In the accounts their events stay dead. */
    post: operations['purgeDeadLetters'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/dead-letters/counts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the dead letters by sink, reason and column. */
    get: operations['countDeadLetters'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/dead-letters/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the dead letters of an event with the columns that refused it. */
    get: operations['showDeadLetter'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/dead-letters/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell how far the last replay of dead letters of a sink is. */
    get: operations['getReplay'];
    put?: never;
    /** Map the dead letters of a sink by the mapping in use, exactly once: those that it takes become rows, and are dead no more. */
    post: operations['replayDeadLetters'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/dead-letters/replay/try': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Show what a replay would make of the first dead letters, with the rows; nothing changes. */
    post: operations['tryReplay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/dead-letters/replay/stop': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Stop the replay of dead letters of a sink: the batch that runs is finished, and no other one begun. */
    post: operations['stopReplay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/buckets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all buckets that the caller may see: those that were made, and those that came with a table. */
    get: operations['listBuckets'];
    put?: never;
    /** Create a bucket. It stays when its last table goes, until it is deleted. */
    post: operations['createBucket'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/buckets/{bucketId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a bucket. */
    get: operations['getBucket'];
    put?: never;
    post?: never;
    /** Delete a bucket. Refused while tables are in it, unless `force` deletes them, too. */
    delete: operations['deleteBucket'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/buckets/{bucketId}/tables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tables of a bucket. */
    get: operations['listBucketTables'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/buckets/{bucketId}/tables-definition': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make an empty table with columns of text, and its bucket where there is none yet. */
    post: operations['createTable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all tables that the caller may see, the dead letter table included. */
    get: operations['listTables'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a table with its columns. */
    get: operations['getTable'];
    put?: never;
    post?: never;
    /** Delete a table with its rows, and its bucket when nothing is left in it. Refused while something depends on it. */
    delete: operations['deleteTable'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/data-preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the first or the last rows of a table, in the order in which they were loaded. */
    get: operations['previewTable'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Stream the whole table. */
    get: operations['exportTable'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/dependents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What depends on a table: sinks that fill it, rows that wait for it, tokens that may write it. */
    get: operations['listTableDependents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/rows': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Delete all rows of a table. Refused while something depends on it. */
    delete: operations['deleteTableRows'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/rename': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Give a table another name in its bucket. Refused while something depends on it. */
    post: operations['renameTable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/columns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Add a column of text at the end of a table, empty in its rows. Refused while a sink fills it, which has no such column. */
    post: operations['addColumn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/columns/{columnName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Drop a column of a table with all its cells. Refused while a sink that fills the table has it, and when the primary key does. */
    delete: operations['dropColumn'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files/prepare': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Prepare a file: the answer says where its bytes are to be sent, within a day. */
    post: operations['prepareFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the files that were uploaded, the newest first: all, or those that the caller prepared when it is limited to some buckets. */
    get: operations['listFiles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files/{fileId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a file, without its content. */
    get: operations['getFile'];
    put?: never;
    post?: never;
    /** Delete a file with its content. */
    delete: operations['deleteFile'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files/{fileId}/content': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Stream the bytes of a file. */
    get: operations['downloadFile'];
    /** Upload the bytes of a file that was prepared. What breaks off leaves nothing, and may be sent again. */
    put: operations['uploadFile'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files/{fileId}/tags': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Give a file a tag, if it has it not. */
    post: operations['addFileTag'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/files/{fileId}/tags/{tag}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Take a tag from a file, if it has it. */
    delete: operations['removeFileTag'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/buckets/{bucketId}/tables-async': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a table of a file that was uploaded, a CSV, compressed with gzip or not: a job does it. */
    post: operations['createTableFromFile'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tables/{tableId}/import-async': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Load a table from a file that was uploaded, a CSV, compressed with gzip or not: a job does it, once or not at all. */
    post: operations['importTable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the jobs of the storage interface, the newest first: all, or those of the caller when it is limited to some buckets. */
    get: operations['listStorageJobs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/jobs/{jobId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a job of the storage interface: how a load of a file stands, or how it ended. */
    get: operations['getStorageJob'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the components, and where the interfaces of the installation are. */
    get: operations['storageIndex'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the components that the token may see, with their configurations. */
    get: operations['listComponents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the components that the token may see, with their configurations. */
    get: operations['listComponentsInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a component. */
    get: operations['getComponent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a component. */
    get: operations['getComponentInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the configurations of a component, with their rows. */
    get: operations['listConfigurations'];
    put?: never;
    /** Create a configuration. One that is deleted comes back under its id, with what is given now. */
    post: operations['createConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the configurations of a component, with their rows. */
    get: operations['listConfigurationsInBranch'];
    put?: never;
    /** Create a configuration. One that is deleted comes back under its id, with what is given now. */
    post: operations['createConfigurationInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a configuration with its rows. */
    get: operations['getConfiguration'];
    /** Change a configuration. What is absent stays; without a change there is no version. */
    put: operations['updateConfiguration'];
    post?: never;
    /** Delete a configuration: it can be restored. One that is deleted already is gone for good. */
    delete: operations['deleteConfiguration'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a configuration with its rows. */
    get: operations['getConfigurationInBranch'];
    /** Change a configuration. What is absent stays; without a change there is no version. */
    put: operations['updateConfigurationInBranch'];
    post?: never;
    /** Delete a configuration: it can be restored. One that is deleted already is gone for good. */
    delete: operations['deleteConfigurationInBranch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replace the state of a configuration, which makes no version. */
    put: operations['setConfigurationState'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replace the state of a configuration, which makes no version. */
    put: operations['setConfigurationStateInBranch'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Bring a deleted configuration back as it was. */
    post: operations['restoreConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Bring a deleted configuration back as it was. */
    post: operations['restoreConfigurationInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a configuration, the newest first. The last 1000 are kept. */
    get: operations['listConfigurationVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a configuration, the newest first. The last 1000 are kept. */
    get: operations['listConfigurationVersionsInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get what a configuration and its rows were in a version. */
    get: operations['getConfigurationVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get what a configuration and its rows were in a version. */
    get: operations['getConfigurationVersionInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a configuration and its rows what they were in a version. States stay. */
    post: operations['rollbackConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a configuration and its rows what they were in a version. States stay. */
    post: operations['rollbackConfigurationInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/versions/{versionNumber}/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create another configuration that is like a version, with its rows. */
    post: operations['copyConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/versions/{versionNumber}/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create another configuration that is like a version, with its rows. */
    post: operations['copyConfigurationInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the rows of a configuration. */
    get: operations['listConfigurationRows'];
    put?: never;
    /** Add a row to a configuration. */
    post: operations['createConfigurationRow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the rows of a configuration. */
    get: operations['listConfigurationRowsInBranch'];
    put?: never;
    /** Add a row to a configuration. */
    post: operations['createConfigurationRowInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a row of a configuration. */
    get: operations['getConfigurationRow'];
    /** Change a row. What is absent stays; without a change there is no version. */
    put: operations['updateConfigurationRow'];
    post?: never;
    /** Delete a row for good. */
    delete: operations['deleteConfigurationRow'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a row of a configuration. */
    get: operations['getConfigurationRowInBranch'];
    /** Change a row. What is absent stays; without a change there is no version. */
    put: operations['updateConfigurationRowInBranch'];
    post?: never;
    /** Delete a row for good. */
    delete: operations['deleteConfigurationRowInBranch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replace the state of a row, which makes no version. */
    put: operations['setConfigurationRowState'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replace the state of a row, which makes no version. */
    put: operations['setConfigurationRowStateInBranch'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a row, the newest first, as far as versions of its configuration are kept. */
    get: operations['listConfigurationRowVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the versions of a row, the newest first, as far as versions of its configuration are kept. */
    get: operations['listConfigurationRowVersionsInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get what a row was in a version of its own. */
    get: operations['getConfigurationRowVersion'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get what a row was in a version of its own. */
    get: operations['getConfigurationRowVersionInBranch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a row what it was in a version of its own. Its state stays. */
    post: operations['rollbackConfigurationRow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}/rollback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a row what it was in a version of its own. Its state stays. */
    post: operations['rollbackConfigurationRowInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Add a row that is like a version of another one. */
    post: operations['copyConfigurationRow'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/rows/{rowId}/versions/{versionNumber}/create': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Add a row that is like a version of another one. */
    post: operations['copyConfigurationRowInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/components/{componentId}/configs/{configurationId}/schedule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the schedule of a configuration, with its last and its next run. */
    get: operations['getSchedule'];
    /** Give a configuration a schedule, which runs it without anybody asking. What is absent has its default. */
    put: operations['setSchedule'];
    post?: never;
    /** Remove the schedule of a configuration. A job that it has made goes on. */
    delete: operations['deleteSchedule'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/components/{componentId}/configs/{configurationId}/schedule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the schedule of a configuration, with its last and its next run. */
    get: operations['getScheduleInBranch'];
    /** Give a configuration a schedule, which runs it without anybody asking. What is absent has its default. */
    put: operations['setScheduleInBranch'];
    post?: never;
    /** Remove the schedule of a configuration. A job that it has made goes on. */
    delete: operations['deleteScheduleInBranch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/vault/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the names of the vault: of the project, or those that a branch has itself. No value is ever shown. */
    get: operations['listVaultVariables'];
    put?: never;
    /** Set a value of the vault, which configurations name as `{{vault.name}}`. It is never shown again. */
    post: operations['setVaultVariable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/vault/variables': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the names of the vault: of the project, or those that a branch has itself. No value is ever shown. */
    get: operations['listVaultVariablesInBranch'];
    put?: never;
    /** Set a value of the vault, which configurations name as `{{vault.name}}`. It is never shown again. */
    post: operations['setVaultVariableInBranch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/vault/variables/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Delete a value of the vault. */
    delete: operations['deleteVaultVariable'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/branch/{branchId}/vault/variables/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Delete a value of the vault. */
    delete: operations['deleteVaultVariableInBranch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List jobs, as `/search/jobs`. */
    get: operations['listJobs'];
    put?: never;
    /** Create a job, which runs a configuration; `status` leaves `processing` when it has ended. */
    post: operations['createJob'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/search/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List jobs by what they are. */
    get: operations['searchJobs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/jobs/{jobId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a job; poll it until its status leaves `processing`. */
    get: operations['getJob'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/jobs/{jobId}/kill': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** End a job: one that waits is `cancelled`, one that runs becomes `terminated`, unless it is done before. */
    post: operations['killJob'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the lines of the logs of jobs, the newest first. */
    get: operations['listJobEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tokens/verify': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tell what the token of the call may do. */
    get: operations['verifyToken'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of the project, those of the sinks included, without their texts. */
    get: operations['listTokens'];
    put?: never;
    /** Create a token of role `admin`, `readOnly` or `limited`. Its text is in this answer and nowhere else. */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/branches/{branchId}/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List who changed what through the API, the newest first; changes of tokens stand in the trail of branch 1. About 5000 entries of 90 days are kept. */
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tokens/{tokenId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a token, without its text. */
    get: operations['getToken'];
    put?: never;
    post?: never;
    /** Delete a token: it is refused at once. */
    delete: operations['deleteToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v2/storage/tokens/{tokenId}/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Replace the text of a token: the one before is refused at once. Any token may refresh itself, an admin token all others. */
    post: operations['refreshToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/backup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the backup that this process began last. */
    get: operations['getBackup'];
    put?: never;
    /** Begin to copy everything that the process has, as of one moment, into a new folder. For the root token alone. */
    post: operations['startBackup'];
    /** End the backup that runs; nothing is left of it. For the root token alone. */
    delete: operations['stopBackup'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @example {
     *       "type": "http",
     *       "name": "My Source",
     *       "sinks": [
     *         {
     *           "name": "My Sink",
     *           "table": {
     *             "tableId": "in.c-shop.orders",
     *             "mapping": {
     *               "columns": [
     *                 {
     *                   "type": "uuid",
     *                   "name": "id"
     *                 },
     *                 {
     *                   "type": "path",
     *                   "name": "total",
     *                   "path": "order.total",
     *                   "defaultValue": ""
     *                 }
     *               ]
     *             }
     *           }
     *         }
     *       ]
     *     }
     */
    CreateSourceBody: {
      /**
       * @description Read in any case.
       * @enum {string}
       */
      type: 'http' | 'otlp';
      name: string;
      /** @description Made of the name when absent. */
      sourceId?: string | null;
      description?: string | null;
      /** @description Of its topic; it keeps them. Events of one partition are mapped, staged and imported in order, those of several side by side. Absent: as `MILLRACE_PARTITIONS` of the process says. */
      partitions?: number | null;
      /** @description Created in the same task, all or none. */
      sinks?: components['schemas']['CreateSinkBody'][] | null;
    };
    /**
     * @example {
     *       "name": "My Other Sink",
     *       "table": {
     *         "tableId": "in.c-shop.orders",
     *         "mapping": {
     *           "columns": [
     *             {
     *               "type": "uuid",
     *               "name": "id"
     *             },
     *             {
     *               "type": "path",
     *               "name": "total",
     *               "path": "order.total",
     *               "defaultValue": ""
     *             }
     *           ]
     *         }
     *       }
     *     }
     */
    CreateSinkBody: {
      type?: 'table' | null;
      name: string;
      /** @description Made of the name when absent. */
      sinkId?: string | null;
      description?: string | null;
      /** @description Signals of an OTLP source that the sink takes; empty: all. */
      allowedSignals?: ('logs' | 'metrics' | 'traces')[] | null;
      table?: {
        type?: 'keboola' | null;
        /**
         * @description `stage.bucket.table`, of letters, digits, `_` and `-`.
         * @example in.c-shop.orders
         */
        tableId: string;
        mapping: {
          columns: components['schemas']['ColumnBody'][];
        };
      } | null;
      /** @description Where the sink begins: with the next event (`latest`, the default), with the oldest that the source still keeps (`earliest`), or with the first of each partition that arrived at a time or later (`2026-11-01T00:00`, UTC unless it says); what lies behind it follows. After the newest event that is the next one. */
      backfill?: string | null;
    };
    ColumnBody: {
      /** @enum {string} */
      type: 'uuid' | 'datetime' | 'ip' | 'body' | 'headers' | 'path' | 'template';
      /** @description Unique within the mapping, case aside. */
      name: string;
      /** @description Of a `path` column: `a.b[0]["c.d"]`. */
      path?: string | null;
      /** @description Of a `path` column: used when the path does not exist. */
      defaultValue?: string | null;
      /** @description The text of a JSON string without its quotes. */
      rawString?: boolean | null;
      /** @description Of a `template` column: jsonnet, which sees the event through `Body`, `Header` and others. */
      template?: {
        /** @enum {string} */
        language: 'jsonnet';
        content: string;
      } | null;
    };
    /**
     * @example {
     *       "description": "Orders of the shop.",
     *       "changeDescription": "Say what it is."
     *     }
     */
    UpdateSourceBody: {
      type?: ('http' | 'otlp') | null;
      name?: string | null;
      description?: string | null;
      changeDescription?: string | null;
    };
    /**
     * @example {
     *       "settings": [
     *         {
     *           "key": "storage.level.staging.upload.trigger.interval",
     *           "value": "5s"
     *         }
     *       ],
     *       "changeDescription": "Faster."
     *     }
     */
    SettingsBody: {
      settings?:
        | {
            key: string;
            /** @description Text, number, boolean or list; null removes the override. */
            value: unknown;
          }[]
        | null;
      changeDescription?: string | null;
    };
    /**
     * @example {
     *       "description": "Every order with its total.",
     *       "changeDescription": "Say what it is."
     *     }
     */
    UpdateSinkBody: {
      type?: 'table' | null;
      name?: string | null;
      description?: string | null;
      /** @description Signals of an OTLP source that the sink takes; empty: all. */
      allowedSignals?: ('logs' | 'metrics' | 'traces')[] | null;
      table?: {
        type?: 'keboola' | null;
        tableId?: string | null;
        mapping?: {
          columns: components['schemas']['ColumnBody'][];
        } | null;
        /** @description True: a table that is missing is made, and one that has other columns gets those of the mapping. Rows that wait go to their places in it. */
        alter?: boolean | null;
        /** @description With `alter`: columns that keep their cells under another name. What is not named here comes or goes. */
        renamed?:
          | {
              from: string;
              to: string;
            }[]
          | null;
      } | null;
      changeDescription?: string | null;
    };
    PurgeDeadLettersBody: {
      /** @description Of this source and its sinks. */
      sourceId?: string | null;
      /** @description Of this sink; only with `sourceId`. */
      sinkId?: string | null;
      /** @description With this reason, for example `templateError`. */
      reason?: string | null;
      /** @description Whose cell of this column could not be made. */
      column?: string | null;
      /** @description Of this event. */
      eventId?: string | null;
      /** @description The event arrived then or later. */
      since?: string | null;
      /**
       * Format: date-time
       * @description The event arrived before that.
       */
      until: string;
    };
    ReplayDeadLettersBody: {
      /** @description With this reason, for example `templateError`. */
      reason?: string | null;
      /** @description Whose cell of this column could not be made. */
      column?: string | null;
      /** @description Of this event. */
      eventId?: string | null;
      /** @description The event arrived then or later. */
      since?: string | null;
      /** @description The event arrived before that. */
      until?: string | null;
      /** @description Look at so many letters at most. */
      limit?: number;
    };
    TryReplayBody: {
      /** @description With this reason, for example `templateError`. */
      reason?: string | null;
      /** @description Whose cell of this column could not be made. */
      column?: string | null;
      /** @description Of this event. */
      eventId?: string | null;
      /** @description The event arrived then or later. */
      since?: string | null;
      /** @description The event arrived before that. */
      until?: string | null;
      /**
       * @description How many letters are tried, 20 when absent.
       * @default 20
       */
      limit?: number;
    };
    CreateBucketBody: {
      /** @description Letters, digits, `_` and `-`; `c-` is put before it where it does not begin so. */
      name: string;
      /** @enum {string} */
      stage: 'in' | 'out';
      /** @description What people call it; its name when absent. */
      displayName?: string;
      description?: string;
    };
    /**
     * @example {
     *       "name": "customers",
     *       "columns": [
     *         {
     *           "name": "id"
     *         },
     *         {
     *           "name": "name"
     *         }
     *       ],
     *       "primaryKeysNames": [
     *         "id"
     *       ]
     *     }
     */
    CreateTableBody: {
      /** @description The last part of its id, of letters, digits, `_` and `-`. */
      name: string;
      columns: {
        name: string;
        /** @description Every column is text. */
        basetype?: 'STRING' | null;
        definition?: {
          /** @enum {string} */
          type: 'STRING' | 'VARCHAR' | 'TEXT';
        } | null;
      }[];
      /** @description Columns by which later loads replace rows; none when absent. */
      primaryKeysNames?: string[] | null;
    };
    /**
     * @example {
     *       "name": "orders_2025"
     *     }
     */
    RenameTableBody: {
      /** @description The last part of its id, of letters, digits, `_` and `-`; stage and bucket stay. */
      name: string;
    };
    AddColumnBody: {
      name: string;
      /** @description Every column is text. */
      basetype?: 'STRING' | null;
      definition?: {
        /** @enum {string} */
        type: 'STRING' | 'VARCHAR' | 'TEXT';
      } | null;
    };
    PrepareFileBody: {
      /** @description For people. */
      name: string;
      /** @description When it is given an upload of another size is refused. */
      sizeBytes?: number;
      /** @description For people; it is downloaded as bytes. */
      contentType?: string;
      tags?: string[] | string;
      /** @description The same, as some clients name it in forms. */
      'tags[]'?: string[] | string;
      /**
       * @description Kept until it is deleted; else for 15 days.
       * @enum {unknown}
       */
      isPermanent?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0';
      /** @enum {unknown} */
      isSliced?: false | 'false' | 0 | '0';
      /**
       * @description Accepted, and changes nothing.
       * @enum {unknown}
       */
      isEncrypted?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0';
      /**
       * @description Accepted, and changes nothing: the upload goes to this product.
       * @enum {unknown}
       */
      federationToken?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0';
    };
    TagBody: {
      tag: string;
    };
    CreateTableFromFileBody: {
      /** @description Of a file that was uploaded. */
      dataFileId: number;
      /** @description `,` when absent. */
      delimiter?: string;
      /** @description `"` when absent. */
      enclosure?: string;
      /** @description Stands before an enclosure that is part of a cell; when absent it is doubled. */
      escapedBy?: string;
      /** @description Of each line, in order; then the file has no header. */
      columns?: string[] | string;
      /** @description The same, as some clients name it in forms. */
      'columns[]'?: string[] | string;
      /** @description The first line is a row; its columns are those of the table. */
      withoutHeaders?: boolean;
      /** @description Left out at the beginning. */
      ignoredLinesCount?: number;
      treatValuesAsNull?: string[];
      /** @description The last part of its id, of letters, digits, `_` and `-`. */
      name: string;
      /** @description Columns by which later loads replace rows; none when absent. */
      primaryKey?: string[] | string;
      'primaryKey[]'?: string[] | string;
    };
    ImportTableBody: {
      /** @description Of a file that was uploaded. */
      dataFileId: number;
      /** @description `,` when absent. */
      delimiter?: string;
      /** @description `"` when absent. */
      enclosure?: string;
      /** @description Stands before an enclosure that is part of a cell; when absent it is doubled. */
      escapedBy?: string;
      /** @description Of each line, in order; then the file has no header. */
      columns?: string[] | string;
      /** @description The same, as some clients name it in forms. */
      'columns[]'?: string[] | string;
      /** @description The first line is a row; its columns are those of the table. */
      withoutHeaders?: boolean;
      /** @description Left out at the beginning. */
      ignoredLinesCount?: number;
      treatValuesAsNull?: string[];
      /** @description Rows are added; else those that were there go first. */
      incremental?: boolean;
    };
    CreateConfigurationBody: {
      name: string;
      configurationId?: (string | number) | null;
      description?: string | null;
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts. An object, or the JSON text of one.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration?: Record<string, never> | string | null;
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters. An object, or the JSON text of one.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: Record<string, never> | string | null;
      /** @enum {unknown} */
      isDisabled?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0' | '' | null;
      changeDescription?: string | null;
    };
    UpdateConfigurationBody: {
      name?: string | null;
      description?: string | null;
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts. An object, or the JSON text of one.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration?: Record<string, never> | string | null;
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters. An object, or the JSON text of one.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: Record<string, never> | string | null;
      /** @enum {unknown} */
      isDisabled?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0' | '' | null;
      changeDescription?: string | null;
      rowsSortOrder?: (string | number)[] | string | null;
    };
    StateBody: {
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters. An object, or the JSON text of one.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: Record<string, never> | string | null;
    };
    ChangeNoteBody: {
      changeDescription?: string | null;
    };
    CopyConfigurationBody: {
      configurationId?: (string | number) | null;
      name?: string | null;
      description?: string | null;
      changeDescription?: string | null;
    };
    CreateRowBody: {
      rowId?: (string | number) | null;
      name?: string | null;
      description?: string | null;
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts. An object, or the JSON text of one.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration?: Record<string, never> | string | null;
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters. An object, or the JSON text of one.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: Record<string, never> | string | null;
      /** @enum {unknown} */
      isDisabled?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0' | '' | null;
      changeDescription?: string | null;
    };
    UpdateRowBody: {
      name?: string | null;
      description?: string | null;
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts. An object, or the JSON text of one.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration?: Record<string, never> | string | null;
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters. An object, or the JSON text of one.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: Record<string, never> | string | null;
      /** @enum {unknown} */
      isDisabled?: true | false | 'true' | 'false' | 1 | 0 | '1' | '0' | '' | null;
      changeDescription?: string | null;
    };
    CopyRowBody: {
      rowId?: (string | number) | null;
      name?: string | null;
      description?: string | null;
      changeDescription?: string | null;
    };
    ScheduleBody: {
      /**
       * @description Minute, hour, day of the month, month, day of the week.
       * @example 0 3 * * *
       */
      cron: string;
      /**
       * @description Name of the IANA database; `UTC` when absent.
       * @example Europe/Prague
       */
      timeZone?: string | null;
      /** @description True when absent. */
      isEnabled?: boolean | null;
      /** @description Row of the variable configuration whose values its jobs have. */
      variableValuesId?: (string | number) | null;
      /** @description Values that its jobs have. */
      variableValuesData?: {
        values?:
          | {
              name: string | number;
              value: string | number | boolean;
            }[]
          | null;
      } | null;
    };
    VaultBody: {
      /** @example api-password */
      name: string;
      /** @description Never shown again. */
      value: string;
    };
    CreateJobBody: {
      /** @example generic-extractor */
      component: string;
      /** @description Id of the configuration. */
      config?: (string | number) | null;
      /**
       * @description A configuration in place of the stored one; `config` still names its default bucket and its turn. What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configData?:
        | (
            | {
                [key: string]: unknown;
              }
            | unknown[]
          )
        | null;
      /** @description Rows to run; all when absent. */
      configRowIds?: (string | number)[] | null;
      /** @description `run` when absent. */
      mode?: ('run' | 'forceRun' | 'debug') | null;
      tag?: string | null;
      /** @description The default one when absent. */
      branchId?: (string | number) | null;
      /** @description Row of the variable configuration. */
      variableValuesId?: (string | number) | null;
      /** @description Values for this job. */
      variableValuesData?: {
        values?:
          | {
              name: string | number;
              value: string | number | boolean;
            }[]
          | null;
      } | null;
      /** @description Seconds before it may start. */
      delay?: (number | string) | null;
      /** @description Before which it does not start. */
      delayedStartTime?: string | null;
      parallelism?: unknown;
      backend?: unknown;
      executor?: unknown;
      behavior?: unknown;
      orchestrationJobId?: unknown;
      orchestrationTaskId?: unknown;
      orchestrationPhaseId?: unknown;
      onlyOrchestrationTaskIds?: unknown;
      previousJobId?: unknown;
      deduplicationId?: unknown;
    };
    CreateTokenBody: {
      description?: string | null;
      /** @description `limited` has to do with components, buckets and tables alone; `admin` when absent, unless `componentAccess` or `bucketPermissions` names some. */
      role?: ('admin' | 'readOnly' | 'limited') | null;
      /** @description Seconds; null or absent: it does not expire. */
      expiresIn?: number | null;
      /** @description Of a limited token: it may read and write all buckets, their tables and files, and the configurations of all components. Else it follows from the role. */
      canManageBuckets?: boolean | null;
      /** @description Follows from the role: a value that the role does not give is refused. */
      canManageTokens?: boolean | null;
      /** @description Follows from the role: a value that the role does not give is refused. */
      canReadAllFileUploads?: boolean | null;
      /** @description Follows from the role: a value that the role does not give is refused. */
      canPurgeTrash?: boolean | null;
      /** @description Follows from the role: a value that the role does not give is refused. */
      canCreateJobs?: boolean | null;
      /** @description Buckets that the token may read (`read`), or read and change (`write`), by their ids; it sees no others, and is of role `limited`. Files it sees that it prepared itself. */
      bucketPermissions?:
        | (
            | {
                [key: string]: string;
              }
            | unknown[]
          )
        | null;
      /** @description Components whose configurations the token may read and write; it sees no others, and is of role `limited`. */
      componentAccess?: string[] | null;
    };
    StartBackupBody: {
      /** @description An absolute path on the disk of the process: of a folder that is not there yet. */
      to: string;
    };
    Error: {
      /** @description The status of the answer. */
      statusCode: number;
      /** @description The name of the refusal, behind `stream.api.`. */
      error: string;
      /** @description What is wrong, as a sentence, with field, value and rule. */
      message: string;
      /** @description From status 500 on: under it the log knows more. */
      exceptionId?: string;
    };
    /**
     * @example {
     *       "taskId": "api.create.source/1/my-source/2026-11-21T18:00:00.000Z_a1B2c",
     *       "type": "api.create.source",
     *       "url": "http://127.0.0.1:8000/v1/tasks/api.create.source/1/my-source/2026-11-21T18:00:00.000Z_a1B2c",
     *       "status": "success",
     *       "isFinished": true,
     *       "createdAt": "2026-11-21T18:00:00.000Z",
     *       "finishedAt": "2026-11-21T18:00:00.125Z",
     *       "duration": 125,
     *       "result": "Source has been created successfully.",
     *       "outputs": {
     *         "url": "http://127.0.0.1:8000/v1/branches/1/sources/my-source",
     *         "projectId": 1,
     *         "branchId": 1,
     *         "sourceId": "my-source"
     *       }
     *     }
     */
    Task: {
      taskId: string;
      /** @example api.create.source */
      type: string;
      /** Format: uri */
      url: string;
      /** @enum {string} */
      status: 'processing' | 'success' | 'error';
      isFinished: boolean;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      finishedAt?: string;
      /** @description Milliseconds. */
      duration?: number;
      result?: string;
      error?: string;
      outputs?: {
        url?: string;
        projectId?: number;
        branchId?: number;
        sourceId?: string;
        sinkId?: string;
      };
    };
    AggregatedSourceList: {
      projectId: number;
      branchId: number;
      page: components['schemas']['Page'];
      sources: components['schemas']['AggregatedSource'][];
    };
    Page: {
      limit: number;
      totalCount: number;
      afterId: string;
      lastId: string;
    };
    AggregatedSource: {
      projectId: number;
      branchId: number;
      sourceId: string;
      /** @enum {string} */
      type: 'http' | 'otlp';
      name: string;
      description: string;
      /** @description As many as the topic had when it was made. */
      partitions: number;
      http?: {
        /** Format: uri */
        url: string;
      };
      otlp?: {
        /** Format: uri */
        url: string;
        /** Format: uri */
        baseUrl: string;
        secret: string;
      };
      /**
       * Format: date-time
       * @description When the secret that was rotated away ends, or has ended.
       */
      previousSecretValidUntil?: string;
      version: components['schemas']['Version'];
      created: components['schemas']['Stamp'];
      deleted?: components['schemas']['Stamp'];
      disabled?: components['schemas']['Disabled'];
      sinks: components['schemas']['AggregatedSink'][];
    };
    Version: {
      number: number;
      /** @description 16 hexadecimal digits of the definition. */
      hash: string;
      description: string;
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
    };
    Stamp: {
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
    };
    Disabled: {
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
      reason: string;
    };
    AggregatedSink: {
      projectId: number;
      branchId: number;
      sourceId: string;
      sinkId: string;
      /** @constant */
      type: 'table';
      name: string;
      description: string;
      allowedSignals?: ('logs' | 'metrics' | 'traces')[];
      table: {
        /** @constant */
        type: 'keboola';
        tableId: string;
        mapping: {
          columns: components['schemas']['Column'][];
        };
      };
      version: components['schemas']['Version'];
      created: components['schemas']['Stamp'];
      deleted?: components['schemas']['Stamp'];
      disabled?: components['schemas']['Disabled'];
      statistics: {
        total: components['schemas']['StatisticsLevel'];
        levels: {
          /** @description Accepted and not staged. Sizes and arrivals are those of lines that the answering process stages itself. */
          local?: components['schemas']['StatisticsLevel'];
          /** @description In staging: waiting, parked, or being imported. */
          staging?: components['schemas']['StatisticsLevel'];
          /** @description In the table since the sink was created, or since the statistics were cleared; undeleting it keeps them. */
          target?: components['schemas']['StatisticsLevel'];
        };
        /** @description What waits and the last import, the newest first; `statistics/files` of the sink lists more. */
        files: components['schemas']['SinkFile'][];
      };
    };
    Column: {
      /** @enum {string} */
      type: 'uuid' | 'datetime' | 'ip' | 'body' | 'headers' | 'path' | 'template';
      name: string;
      path?: string;
      rawString?: boolean;
      defaultValue?: string;
      template?: {
        /** @constant */
        language: 'jsonnet';
        content: string;
      };
    };
    StatisticsLevel: {
      /**
       * Format: date-time
       * @description Arrival of the first event, dead letters included, as far as it is known: that of an event is known once it is mapped.
       */
      firstRecordAt?: string;
      /**
       * Format: date-time
       * @description Arrival of the last event that is known.
       */
      lastRecordAt?: string;
      /** @description Rows; before staging also events whose outcome is not known yet. */
      recordsCount: number;
      /** @description Bytes as they are stored, or were stored in staging: less than those of the CSV where staged objects are compressed. */
      compressedSize: number;
      /** @description Bytes of CSV. */
      uncompressedSize: number;
      /** @description Events that the mapping refused; they are not in `recordsCount`. */
      deadLettersCount: number;
    };
    SinkFile: {
      /**
       * @description `writing` takes events, `closing` waits for its import, `importing` is being imported or was refused by its table.
       * @enum {string}
       */
      state: 'writing' | 'closing' | 'importing' | 'imported';
      /**
       * Format: date-time
       * @description When the file before it was closed, or its mapping or the sink came. It does not move; an event that waited may have arrived before.
       */
      openedAt: string;
      /** Format: date-time */
      closingAt?: string;
      /** Format: date-time */
      importingAt?: string;
      /** Format: date-time */
      importedAt?: string;
      /** @description As in the list of imports; absent until an import began. */
      importNumber?: number;
      /** @description Tries that failed in a row. */
      retryAttempt?: number;
      retryReason?: string;
      /** Format: date-time */
      retryAfter?: string;
      statistics: components['schemas']['FileStatistics'];
    };
    FileStatistics: {
      total: components['schemas']['StatisticsLevel'] | null;
      levels: {
        /** @description Accepted and not staged. Sizes and arrivals are those of lines that the answering process stages itself. */
        local?: components['schemas']['StatisticsLevel'];
        /** @description In staging: waiting, parked, or being imported. */
        staging?: components['schemas']['StatisticsLevel'];
        /** @description In the table since the sink was created, or since the statistics were cleared; undeleting it keeps them. */
        target?: components['schemas']['StatisticsLevel'];
      };
    };
    Conservation: {
      projectId: number;
      branchId: number;
      /** @description In one line: what is missing, what is lost, where the rest is. */
      verdict: string;
      /** @description Every event is in its table or accounted for, and none is lost. */
      well: boolean;
      /**
       * Format: date-time
       * @description When the numbers were counted.
       */
      at: string;
      /**
       * Format: date-time
       * @description From when on samples are shown.
       */
      since: string;
      /** @description What lies between two samples: a minute, or an hour for more than a day; a multiple where there are more than 100000 samples. */
      stepSeconds: number;
      /** @description When nothing at all was sampled. */
      gaps: components['schemas']['SampleGap'][];
      /** @description When somebody set the clock that samples are taken by, and by how much. */
      clockJumps: {
        /** Format: date-time */
        at: string;
        bySeconds: number;
      }[];
      sources: components['schemas']['ConservationOfSource'][];
    };
    /** @description A time in which no sample was taken: nothing is known of it, not that nothing came. */
    SampleGap: {
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      to: string;
    };
    ConservationOfSource: {
      sourceId: string;
      /** @description Records that the log acknowledged since the source exists; retention does not lower it. Of Kafka the offsets of the topic, markers of transactions with them. Null of a deleted source, and null while the topic of the source does not answer. */
      accepted: number | null;
      sinks: components['schemas']['ConservationOfSink'][];
    };
    ConservationOfSink: {
      sinkId: string;
      /** @description A sink that was deleted and came back is there once for each time. */
      incarnation: number;
      /** @description This existence of the sink takes no events any more. */
      deleted: boolean;
      /**
       * Format: date-time
       * @description When the numbers were counted; of one that is gone, its last sample.
       */
      at: string;
      /** @description Events at the offsets that the sink was to take, counted from positions of the log; null while the topic of the source does not answer. */
      accepted: number | null;
      /** @description Events that are not staged yet; null while the topic of the source does not answer. */
      inFlight: number | null;
      /** @description Rows in the table. */
      imported: number;
      /** @description Rows and dead letters in staging, parked and running ones included. */
      staged: number;
      filtered: number;
      /** @description Dead letters in the dead letter table. */
      dead: number;
      /** @description Events that retention took before they were delivered. */
      holes: number;
      /** @description Events that were dropped from staging. */
      givenUp: number;
      /** @description `accepted` less all others; anything but 0 is a defect. */
      difference: number;
      /** @description In order. A time without a sample is in `gaps`. */
      samples: components['schemas']['ConservationSample'][];
      gaps: components['schemas']['SampleGap'][];
    };
    ConservationSample: {
      /** Format: date-time */
      at: string;
      accepted: number;
      inFlight: number;
      /** @description Rows in the table. */
      imported: number;
      /** @description Rows and dead letters in staging, parked and running ones included. */
      staged: number;
      filtered: number;
      /** @description Dead letters in the dead letter table. */
      dead: number;
      /** @description Events that retention took before they were delivered. */
      holes: number;
      /** @description Events that were dropped from staging. */
      givenUp: number;
      /** @description `accepted` less all others; anything but 0 is a defect. */
      difference: number;
    };
    Ranking: {
      projectId: number;
      branchId: number;
      /** @enum {string} */
      by:
        | 'lagEvents'
        | 'lagSeconds'
        | 'stagedEvents'
        | 'parkedEvents'
        | 'deadLetters'
        | 'holes'
        | 'givenUp'
        | 'difference';
      /** @description When this process looked at all sinks; null: it has not yet, and the list is empty. */
      measuredAt: string | null;
      page: components['schemas']['RankingPage'];
      sinks: components['schemas']['RankedSink'][];
    };
    RankingPage: {
      offset: number;
      limit: number;
      totalCount: number;
    };
    RankedSink: {
      sourceId: string;
      sinkId: string;
      /** @description Accepted events that are in no table yet. */
      lagEvents: number;
      /** @description Age of the oldest of them; 0 when there is none. */
      lagSeconds: number;
      /** @description Rows and dead letters in staging. */
      stagedEvents: number;
      /** @description Those of slices that are set aside. */
      parkedEvents: number;
      /** @description Dead letters that are not replayed. */
      deadLetters: number;
      /** @description Events that were lost before the sink had them, and that nobody has acknowledged. */
      holes: number;
      /** @description Events of slices that were given up. */
      givenUp: number;
      /** @description What the witnesses of conservation disagree about, absolute. */
      difference: number;
    };
    SourceList: {
      projectId: number;
      branchId: number;
      page: components['schemas']['Page'];
      sources: components['schemas']['Source'][];
    };
    /**
     * @example {
     *       "projectId": 1,
     *       "branchId": 1,
     *       "sourceId": "my-source",
     *       "type": "http",
     *       "name": "My Source",
     *       "description": "",
     *       "partitions": 1,
     *       "http": {
     *         "url": "http://127.0.0.1:7000/stream/1/my-source/ywZha9NGz97yTJa2GtoxqjuzQH5FmpYVUAzEVGws1hHluRao"
     *       },
     *       "version": {
     *         "number": 1,
     *         "hash": "99c198e6fa237663",
     *         "description": "New source.",
     *         "at": "2026-11-21T18:00:00.000Z",
     *         "by": {
     *           "type": "user",
     *           "tokenId": "1",
     *           "tokenDesc": "root token"
     *         }
     *       },
     *       "created": {
     *         "at": "2026-11-21T18:00:00.000Z",
     *         "by": {
     *           "type": "user",
     *           "tokenId": "1",
     *           "tokenDesc": "root token"
     *         }
     *       }
     *     }
     */
    Source: {
      projectId: number;
      branchId: number;
      sourceId: string;
      /** @enum {string} */
      type: 'http' | 'otlp';
      name: string;
      description: string;
      /** @description As many as the topic had when it was made. */
      partitions: number;
      http?: {
        /** Format: uri */
        url: string;
      };
      otlp?: {
        /** Format: uri */
        url: string;
        /** Format: uri */
        baseUrl: string;
        secret: string;
      };
      /**
       * Format: date-time
       * @description When the secret that was rotated away ends, or has ended.
       */
      previousSecretValidUntil?: string;
      version: components['schemas']['Version'];
      created: components['schemas']['Stamp'];
      deleted?: components['schemas']['Stamp'];
      disabled?: components['schemas']['Disabled'];
    };
    SettingsResult: {
      settings: {
        key: string;
        /** @enum {string} */
        type: 'string' | 'int' | 'bool' | '[]string';
        description: string;
        value: string | number | boolean | string[];
        defaultValue: string | number | boolean | string[];
        /** @description Overridden at this level. */
        overwritten: boolean;
        protected: boolean;
        validation?: string;
        /** @enum {string} */
        inheritedFrom: 'default' | 'source' | 'sink';
        /** @description Why the setting changes nothing in this installation or for this source; absent when it does. */
        withoutEffect?: string;
      }[];
    };
    /**
     * @example {
     *       "projectId": 1,
     *       "branchId": 1,
     *       "sourceId": "my-source",
     *       "tables": [
     *         {
     *           "sinkId": "my-sink",
     *           "tableId": "in.c-shop.orders",
     *           "rows": [
     *             {
     *               "columns": [
     *                 {
     *                   "name": "id",
     *                   "value": "01a1ff62-30f3-75f6-b773-46f3f5f8bddd"
     *                 },
     *                 {
     *                   "name": "total",
     *                   "value": "12.5"
     *                 }
     *               ]
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    TestResult: {
      statusCode?: number;
      error?: string;
      message?: string;
      projectId: number;
      branchId: number;
      sourceId: string;
      tables: {
        sinkId: string;
        tableId: string;
        /** @description True for a sink that is disabled. */
        disabled?: boolean;
        rows: {
          columns: {
            name: string;
            /** @description The text of the cell. */
            value?: string;
            /** @description Why the column has no value. */
            error?: string;
          }[];
        }[];
      }[];
    };
    SourceEvents: {
      /** @description By arrival; those of one partition in their order. */
      events: components['schemas']['Event'][];
      /** @description With this as `position` the next call goes on behind these events. */
      position: string;
      /** @description So many places in the log behind the `position` asked for were removed by retention before they were read. */
      skipped?: number;
    };
    Event: {
      eventId: string;
      partition: number;
      offset: number;
      /** Format: date-time */
      arrivedAt: string;
      /** @description Absent for the record of a Kafka producer. */
      remoteAddress?: string;
      /** @description By canonical name, repeated ones joined; `***` stands where one has a secret of the source. */
      headers: {
        [key: string]: string;
      };
      /** @description The body as text, its first 64 KB when it is longer; absent when that is not UTF-8. */
      body?: string;
      /** @description Instead of `body`: the bytes, its first 64 KB when it is longer. */
      bodyBase64?: string;
      /** @description Bytes of the whole body. */
      bodySize: number;
    };
    SourceTrace: {
      branchId: number;
      sourceId: string;
      /** @description What was found, and how far was looked. */
      verdict: string;
      /** Format: date-time */
      asOf: string;
      events: components['schemas']['EventTrace'][];
      /** @description Absent for a place, which is not searched. */
      search?: {
        /** @description Read to find the events. */
        records: number;
        bytes: number;
        /** @description Places that retention took before they were read. */
        removed: number;
        /** @description Everything that was to be read was read. */
        done: boolean;
        /**
         * Format: date-time
         * @description Arrivals that were searched; absent: from the first that the log has.
         */
        since?: string;
        /** Format: date-time */
        until?: string;
        /** @description Retention has removed older events. */
        logIsCut: boolean;
      };
      /** @description With this the next call goes on; absent: nothing is left. */
      position?: string;
    };
    EventTrace: {
      /** @description Empty for an offset at which the log has no event. */
      eventId: string;
      /** @description Absent: only a table has it. */
      partition?: number;
      offset?: number;
      /** @description Which of several events of a record, from 0. */
      item?: number;
      /**
       * @description Why the log does not show it: retention removed it, there never was one, or the log lost it.
       * @enum {string}
       */
      missing?: 'removed' | 'none' | 'lost';
      event?: components['schemas']['Event'];
      /** @description Of every existence of every sink, deleted ones included. */
      sinks: components['schemas']['SinkTrace'][];
    };
    SinkTrace: {
      sinkId: string;
      incarnation: number;
      /** @constant */
      deleted?: true;
      /**
       * @description `unmapped` and `mapped` before staging; `staged`, `importing` and `parked` in it; `row`, `dead` and `filtered` where it is counted; `replayed` a dead letter that is a row by now; `unwanted` that the sink is not to take it; `none` that there is no event; `lost`; `unknown` when nothing that is left says it.
       * @enum {string}
       */
      state:
        | 'unmapped'
        | 'mapped'
        | 'staged'
        | 'importing'
        | 'parked'
        | 'row'
        | 'dead'
        | 'filtered'
        | 'replayed'
        | 'unwanted'
        | 'none'
        | 'lost'
        | 'unknown';
      /** @description Sentences for people. */
      text: string;
      /**
       * @description What its mapping makes of it, while that is on its way.
       * @enum {string}
       */
      outcome?: 'row' | 'dead' | 'filtered';
      mappingVersion?: number;
      /** @description It covers the offsets behind `from` up to `to`. */
      slice?: {
        id: string;
        partition: number;
        from: number;
        to: number;
        rows: number;
        dead: number;
        /** Format: date-time */
        stagedAt: string;
      };
      /** @description The import that loaded it, with the time when it had; or the one that runs, and since when. */
      import?: {
        number: number;
        /** Format: date-time */
        at: string;
      };
      deadLetter?: {
        reason: string;
        column: string;
        message: string;
        place: string;
        /** @description Null: the table store does not answer. */
        inTable: boolean | null;
      };
      /** @description Whether the table has a row with the id of the event, where a column has ids. */
      table?: {
        tableId: string;
        column: string;
        hasRow: boolean | null;
      };
      /** @description The replay of dead letters that took it, with its import; without one it left the letter as it is. */
      replay?: {
        id: string;
        import?: {
          number: number;
          /** Format: date-time */
          at: string;
        };
      };
      /** @description Why it is not in the table yet. */
      why?: components['schemas']['Finding'][];
    };
    Finding: {
      /**
       * @description What it is about: `failing` a role that cannot serve the sink, `server` a server that a process cannot use, `unmapped`, `transaction`, `open`, `staged`, `importing` and `parked` where events wait, `torn`, `cut` and `lost` what a log lost, `alarm` what somebody has to look at, `closed` that the sink takes nothing new, `unknown` what cannot be told now.
       * @enum {string}
       */
      kind:
        | 'failing'
        | 'server'
        | 'unmapped'
        | 'transaction'
        | 'open'
        | 'staged'
        | 'importing'
        | 'replaying'
        | 'parked'
        | 'torn'
        | 'cut'
        | 'lost'
        | 'alarm'
        | 'closed'
        | 'unknown';
      /** @description Sentences for people. */
      text: string;
      /**
       * @description Whose turn it is.
       * @enum {string}
       */
      role?: 'map' | 'stage' | 'import';
      /** @description Absent: the whole sink. */
      partitions?: number[];
      /** @description How many events it is about, where that is known. */
      events?: number;
      /** Format: date-time */
      since?: string;
      /**
       * Format: date-time
       * @description When something comes next, at the latest, where that is known: a trigger, or the next try.
       */
      nextAt?: string;
      /** @description Of the error, as docs/spec/errors.md lists it. */
      code?: string;
      /** @description What to do about that. */
      action?: string;
      attempts?: number;
    };
    VersionList: {
      page: components['schemas']['Page'];
      versions: components['schemas']['Version'][];
    };
    SourceVersion: {
      number: number;
      /** @description 16 hexadecimal digits of the definition. */
      hash: string;
      description: string;
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
      /** @description What a rollback to this version brings back. */
      definition: {
        /** @enum {string} */
        type: 'http' | 'otlp';
        name: string;
        description: string;
        /** @description Overrides of settings at this level. */
        settings: {
          [key: string]: string | number | boolean | string[];
        };
      };
    };
    SinkList: {
      projectId: number;
      branchId: number;
      sourceId: string;
      page: components['schemas']['Page'];
      sinks: components['schemas']['Sink'][];
    };
    /**
     * @example {
     *       "projectId": 1,
     *       "branchId": 1,
     *       "sourceId": "my-source",
     *       "sinkId": "my-sink",
     *       "type": "table",
     *       "name": "My Sink",
     *       "description": "",
     *       "table": {
     *         "type": "keboola",
     *         "tableId": "in.c-shop.orders",
     *         "mapping": {
     *           "columns": [
     *             {
     *               "type": "uuid",
     *               "name": "id"
     *             },
     *             {
     *               "type": "path",
     *               "name": "total",
     *               "path": "order.total",
     *               "rawString": false,
     *               "defaultValue": ""
     *             }
     *           ]
     *         }
     *       },
     *       "version": {
     *         "number": 1,
     *         "hash": "b4492903f295daae",
     *         "description": "New sink.",
     *         "at": "2026-11-21T18:00:00.000Z",
     *         "by": {
     *           "type": "user",
     *           "tokenId": "1",
     *           "tokenDesc": "root token"
     *         }
     *       },
     *       "created": {
     *         "at": "2026-11-21T18:00:00.000Z",
     *         "by": {
     *           "type": "user",
     *           "tokenId": "1",
     *           "tokenDesc": "root token"
     *         }
     *       }
     *     }
     */
    Sink: {
      projectId: number;
      branchId: number;
      sourceId: string;
      sinkId: string;
      /** @constant */
      type: 'table';
      name: string;
      description: string;
      allowedSignals?: ('logs' | 'metrics' | 'traces')[];
      table: {
        /** @constant */
        type: 'keboola';
        tableId: string;
        mapping: {
          columns: components['schemas']['Column'][];
        };
      };
      version: components['schemas']['Version'];
      created: components['schemas']['Stamp'];
      deleted?: components['schemas']['Stamp'];
      disabled?: components['schemas']['Disabled'];
    };
    SinkVersion: {
      number: number;
      /** @description 16 hexadecimal digits of the definition. */
      hash: string;
      description: string;
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
      /** @description What a rollback to this version brings back. */
      definition: {
        /** @constant */
        type: 'table';
        name: string;
        description: string;
        allowedSignals?: ('logs' | 'metrics' | 'traces')[];
        table: {
          /** @constant */
          type: 'keboola';
          tableId: string;
          mapping: {
            columns: components['schemas']['Column'][];
          };
        };
        /** @description Overrides of settings at this level. */
        settings: {
          [key: string]: string | number | boolean | string[];
        };
      };
    };
    /**
     * @example {
     *       "projectId": 1,
     *       "branchId": 1,
     *       "sourceId": "my-source",
     *       "sinkId": "my-sink",
     *       "incarnation": 2,
     *       "mappingVersion": 1,
     *       "takesEvents": true,
     *       "delivered": true,
     *       "totals": {
     *         "accepted": 0,
     *         "imported": 0,
     *         "dead": 0,
     *         "filtered": 0,
     *         "holes": 0,
     *         "none": 0,
     *         "givenUp": 0,
     *         "difference": 0,
     *         "staged": 0,
     *         "inFlight": 0
     *       },
     *       "differences": {
     *         "document": 0,
     *         "ledgerRows": 0,
     *         "ledgerDead": 0,
     *         "log": 0
     *       },
     *       "partitions": [
     *         {
     *           "partition": 0,
     *           "accepted": 0,
     *           "imported": 0,
     *           "dead": 0,
     *           "filtered": 0,
     *           "holes": 0,
     *           "none": 0,
     *           "givenUp": 0,
     *           "difference": 0,
     *           "staged": 0,
     *           "inFlight": 0,
     *           "position": 0,
     *           "end": 0
     *         }
     *       ],
     *       "staged": {
     *         "slices": 0,
     *         "rows": 0,
     *         "dead": 0,
     *         "bytes": 0
     *       },
     *       "flushRequested": false,
     *       "errors": []
     *     }
     */
    SinkProgress: {
      projectId: number;
      branchId: number;
      sourceId: string;
      sinkId: string;
      incarnation: number;
      mappingVersion: number;
      /** @description False while the sink is disabled, and when it is deleted. */
      takesEvents: boolean;
      /** @description Everything accepted until now is in the table or accounted for; null while the log does not answer: `endsUnknown` says why. */
      delivered: boolean | null;
      /** @description Why the ends of the source topic are not known now. What needs them is null; partitions that the sink has not met yet are missing; all other numbers are exact. */
      endsUnknown?: string;
      /** @description Set when the numbers do not add up, when events were lost that nobody has acknowledged, when half of the retention is used by what the sink still needs, and when a stage does not move and says no reason. */
      alarm?: string;
      totals: {
        /** @description Events that the sink was to take, since it was created; null while the log does not answer: `endsUnknown` says why. */
        accepted: number | null;
        /** @description Rows in the table. */
        imported: number;
        /** @description Dead letters in the dead letter table. */
        dead: number;
        filtered: number;
        /** @description Events that retention took before they were delivered. */
        holes: number;
        /** @description Positions that hold no event, such as markers of transactions. */
        none: number;
        /** @description Events that were dropped from staging. */
        givenUp: number;
        /** @description Rows and dead letters in staging, parked and running ones included. */
        staged: number;
        /** @description Events that are not staged yet; null while the log does not answer: `endsUnknown` says why. */
        inFlight: number | null;
        /** @description What the witnesses disagree about, absolute, as far as they are known; anything but 0 is an alarm. */
        difference: number;
      };
      /** @description What each witness says; `difference` is their sum. */
      differences: {
        /** @description Events that the sink has passed and that stand in none of the other numbers. */
        document: number;
        /** @description Rows that are counted as imported and that the table store did not load; below 0: that it loaded more often. Null: not known now. */
        ledgerRows: number | null;
        /** @description The same for dead letters. */
        ledgerDead: number | null;
        /** @description Events that the log acknowledged and that the sink has not seen, or offsets without one. Null: the log does not count, as on Kafka. */
        log: number | null;
      };
      partitions: {
        partition: number;
        /** @description Events that the sink was to take, since it was created; null while the log does not answer: `endsUnknown` says why. */
        accepted: number | null;
        /** @description Rows in the table. */
        imported: number;
        /** @description Dead letters in the dead letter table. */
        dead: number;
        filtered: number;
        /** @description Events that retention took before they were delivered. */
        holes: number;
        /** @description Positions that hold no event, such as markers of transactions. */
        none: number;
        /** @description Events that were dropped from staging. */
        givenUp: number;
        /** @description Rows and dead letters in staging, parked and running ones included. */
        staged: number;
        /** @description Events that are not staged yet; null while the log does not answer: `endsUnknown` says why. */
        inFlight: number | null;
        /** @description What the witnesses disagree about, absolute, as far as they are known; anything but 0 is an alarm. */
        difference: number;
        /** @description The next offset of the source partition that is not sealed yet. */
        position: number;
        /** @description The end of the source partition now: all that was acknowledged lies below it; null while the log does not answer: `endsUnknown` says why. */
        end: number | null;
        /** @description The open slice, when this process stages it. */
        open?: components['schemas']['TriggerState'];
      }[];
      staged: {
        slices: number;
        rows: number;
        dead: number;
        /** @description CSV bytes. */
        bytes: number;
        triggers?: components['schemas']['TriggerState'];
        /** Format: date-time */
        nextImportAt?: string;
      };
      importing?: {
        slices: number;
        rows: number;
        dead: number;
        /** @description CSV bytes. */
        bytes: number;
        number: number;
        /** Format: date-time */
        startedAt: string;
      };
      parked?: {
        slices: number;
        rows: number;
        dead: number;
        /** @description CSV bytes. */
        bytes: number;
        /** Format: date-time */
        since: string;
        /** @description Those that cannot be imported for what they hold, at most 20; the others wait for their table. */
        damaged?: {
          partition: number;
          rows: number;
          dead: number;
          /** Format: date-time */
          since: string;
          code: string;
          message: string;
        }[];
      };
      /** @description The last import that loaded; what is optional is absent when the history does not have it. */
      lastImport?: {
        number: number;
        /** Format: date-time */
        at: string;
        rows: number;
        dead: number;
        bytes: number;
        slices?: number;
        mappingVersion?: number;
        /** Format: date-time */
        startedAt?: string;
        durationMs?: number;
      };
      flushRequested: boolean;
      /** @description Why a role does not serve the sink, since when, and when it tries again. */
      errors: {
        /** @enum {string} */
        role: 'map' | 'stage' | 'import';
        code: string;
        message: string;
        /** Format: date-time */
        since: string;
        /** Format: date-time */
        lastTryAt: string;
        /** Format: date-time */
        nextTryAt: string;
        attempts: number;
        /**
         * @description The next try was due, and nobody has said what became of it: it takes long, or the process that said this is gone. It is left out after two minutes.
         * @constant
         */
        old?: true;
      }[];
      /** @description What the sink accepted before it was deleted and came back, each time by itself, until all of it is delivered; none of it stands in the other numbers. */
      earlier?: {
        incarnation: number;
        mappingVersion: number;
        /** @description False while the sink is disabled, and when it is deleted. */
        takesEvents: boolean;
        /** @description Everything accepted until now is in the table or accounted for; null while the log does not answer: `endsUnknown` says why. */
        delivered: boolean | null;
        /** @description Why the ends of the source topic are not known now. What needs them is null; partitions that the sink has not met yet are missing; all other numbers are exact. */
        endsUnknown?: string;
        /** @description Set when the numbers do not add up, when events were lost that nobody has acknowledged, when half of the retention is used by what the sink still needs, and when a stage does not move and says no reason. */
        alarm?: string;
        totals: {
          /** @description Events that the sink was to take, since it was created; null while the log does not answer: `endsUnknown` says why. */
          accepted: number | null;
          /** @description Rows in the table. */
          imported: number;
          /** @description Dead letters in the dead letter table. */
          dead: number;
          filtered: number;
          /** @description Events that retention took before they were delivered. */
          holes: number;
          /** @description Positions that hold no event, such as markers of transactions. */
          none: number;
          /** @description Events that were dropped from staging. */
          givenUp: number;
          /** @description Rows and dead letters in staging, parked and running ones included. */
          staged: number;
          /** @description Events that are not staged yet; null while the log does not answer: `endsUnknown` says why. */
          inFlight: number | null;
          /** @description What the witnesses disagree about, absolute, as far as they are known; anything but 0 is an alarm. */
          difference: number;
        };
        /** @description What each witness says; `difference` is their sum. */
        differences: {
          /** @description Events that the sink has passed and that stand in none of the other numbers. */
          document: number;
          /** @description Rows that are counted as imported and that the table store did not load; below 0: that it loaded more often. Null: not known now. */
          ledgerRows: number | null;
          /** @description The same for dead letters. */
          ledgerDead: number | null;
          /** @description Events that the log acknowledged and that the sink has not seen, or offsets without one. Null: the log does not count, as on Kafka. */
          log: number | null;
        };
        partitions: {
          partition: number;
          /** @description Events that the sink was to take, since it was created; null while the log does not answer: `endsUnknown` says why. */
          accepted: number | null;
          /** @description Rows in the table. */
          imported: number;
          /** @description Dead letters in the dead letter table. */
          dead: number;
          filtered: number;
          /** @description Events that retention took before they were delivered. */
          holes: number;
          /** @description Positions that hold no event, such as markers of transactions. */
          none: number;
          /** @description Events that were dropped from staging. */
          givenUp: number;
          /** @description Rows and dead letters in staging, parked and running ones included. */
          staged: number;
          /** @description Events that are not staged yet; null while the log does not answer: `endsUnknown` says why. */
          inFlight: number | null;
          /** @description What the witnesses disagree about, absolute, as far as they are known; anything but 0 is an alarm. */
          difference: number;
          /** @description The next offset of the source partition that is not sealed yet. */
          position: number;
          /** @description The end of the source partition now: all that was acknowledged lies below it; null while the log does not answer: `endsUnknown` says why. */
          end: number | null;
          /** @description The open slice, when this process stages it. */
          open?: components['schemas']['TriggerState'];
        }[];
        staged: {
          slices: number;
          rows: number;
          dead: number;
          /** @description CSV bytes. */
          bytes: number;
          triggers?: components['schemas']['TriggerState'];
          /** Format: date-time */
          nextImportAt?: string;
        };
        importing?: {
          slices: number;
          rows: number;
          dead: number;
          /** @description CSV bytes. */
          bytes: number;
          number: number;
          /** Format: date-time */
          startedAt: string;
        };
        parked?: {
          slices: number;
          rows: number;
          dead: number;
          /** @description CSV bytes. */
          bytes: number;
          /** Format: date-time */
          since: string;
          /** @description Those that cannot be imported for what they hold, at most 20; the others wait for their table. */
          damaged?: {
            partition: number;
            rows: number;
            dead: number;
            /** Format: date-time */
            since: string;
            code: string;
            message: string;
          }[];
        };
        /** @description The last import that loaded; what is optional is absent when the history does not have it. */
        lastImport?: {
          number: number;
          /** Format: date-time */
          at: string;
          rows: number;
          dead: number;
          bytes: number;
          slices?: number;
          mappingVersion?: number;
          /** Format: date-time */
          startedAt?: string;
          durationMs?: number;
        };
        flushRequested: boolean;
        /** @description Why a role does not serve the sink, since when, and when it tries again. */
        errors: {
          /** @enum {string} */
          role: 'map' | 'stage' | 'import';
          code: string;
          message: string;
          /** Format: date-time */
          since: string;
          /** Format: date-time */
          lastTryAt: string;
          /** Format: date-time */
          nextTryAt: string;
          attempts: number;
          /**
           * @description The next try was due, and nobody has said what became of it: it takes long, or the process that said this is gone. It is left out after two minutes.
           * @constant
           */
          old?: true;
        }[];
      }[];
      /** @description Servers that processes of the installation cannot use now: what their roles do there waits, for this sink and any other. */
      missingServers?: {
        /** @description The process that says so. */
        process: string;
        /** @description The part of the topology, with what it is: `log (kafka)`. */
        server: string;
        /** @description Roles of the process that need it. */
        roles: string[];
        message: string;
        /** Format: date-time */
        since: string;
      }[];
    };
    TriggerState: {
      count: {
        value: number;
        threshold: number;
      };
      sizeBytes: {
        value: number;
        threshold: number;
      };
      ageMs: {
        value: number;
        threshold: number;
      };
      /**
       * @description The condition that is met.
       * @enum {string}
       */
      due?: 'count' | 'size' | 'interval';
    };
    SinkWhy: {
      branchId: number;
      sourceId: string;
      sinkId: string;
      incarnation: number;
      /** @description One sentence. */
      verdict: string;
      /** @description Everything that was accepted is in the table or accounted for; null while the log does not answer. */
      delivered: boolean | null;
      /** @description Events that are not in the table yet; null while the log does not answer. */
      waiting: number | null;
      /** Format: date-time */
      asOf: string;
      /** @description What fails first, then what waits, in the order of the way of an event. */
      findings: components['schemas']['Finding'][];
      /** @description The same of what the sink accepted before it was deleted and came back, until that is delivered. */
      earlier?: {
        incarnation: number;
        /** @description One sentence. */
        verdict: string;
        /** @description Everything that was accepted is in the table or accounted for; null while the log does not answer. */
        delivered: boolean | null;
        /** @description Events that are not in the table yet; null while the log does not answer. */
        waiting: number | null;
        /** Format: date-time */
        asOf: string;
        /** @description What fails first, then what waits, in the order of the way of an event. */
        findings: components['schemas']['Finding'][];
      }[];
    };
    Statistics: {
      total: components['schemas']['StatisticsLevel'];
      levels: {
        /** @description Accepted and not staged. Sizes and arrivals are those of lines that the answering process stages itself. */
        local?: components['schemas']['StatisticsLevel'];
        /** @description In staging: waiting, parked, or being imported. */
        staging?: components['schemas']['StatisticsLevel'];
        /** @description In the table since the sink was created, or since the statistics were cleared; undeleting it keeps them. */
        target?: components['schemas']['StatisticsLevel'];
      };
    };
    SinkFiles: {
      files: components['schemas']['SinkFile'][];
    };
    ImportList: {
      projectId: number;
      branchId: number;
      sourceId: string;
      sinkId: string;
      page: components['schemas']['Page'];
      imports: components['schemas']['Import'][];
    };
    Import: {
      /** @description Counts the imports of this incarnation of the sink, abandoned ones included. */
      number: number;
      id: string;
      /**
       * @description An abandoned import loaded nothing: a later one takes its slices.
       * @enum {string}
       */
      verdict: 'loaded' | 'abandoned';
      mappingVersion: number;
      slices: number;
      rows: number;
      dead: number;
      /** @description CSV bytes. */
      bytes: number;
      /** Format: date-time */
      startedAt: string;
      /** Format: date-time */
      finishedAt: string;
      durationMs: number;
      /** @description The replay of dead letters that it is a batch of, which has no slices; null: it is none. */
      replay: {
        id: string;
        /** @description Dead letters that it took: its rows, and those that are not wanted any more. */
        letters: number;
      } | null;
    };
    DeadLetterList: {
      letters: components['schemas']['DeadLetter'][];
      /** @description There are more within the limit: 16 MB are shown at most. */
      isCut: boolean;
    };
    DeadLetter: {
      sourceId: string;
      sinkId: string;
      /** @description Number of the existence of the sink whose mapping refused the event. */
      incarnation: number;
      partition: number;
      offset: number;
      eventId: string;
      arrivedAt: string;
      /** @description For example `pathNotFound` or `templateError`. */
      reason: string;
      /** @description The column whose cell could not be made; empty: the event as a whole. */
      column: string;
      message: string;
      /** @description In the template of the column, as line and columns: `1:1-8`; may be empty. */
      place: string;
      mappingVersion: number;
      /** @description By canonical name. */
      headers: {
        [key: string]: string;
      };
      /** @description The bytes of the event. */
      bodyBase64: string;
    };
    PurgedDeadLetters: {
      deleted: number;
      /** @description False: there may be more; call it again. */
      isComplete: boolean;
    };
    DeadLetterCounts: {
      /** @description How many there are in all. */
      letters: number;
      /** @description Most first. */
      counts: components['schemas']['DeadLetterCount'][];
    };
    DeadLetterCount: {
      sourceId: string;
      sinkId: string;
      reason: string;
      column: string;
      letters: number;
    };
    ShownDeadLetters: {
      /** @description One for each sink that refused it. */
      letters: components['schemas']['ShownDeadLetter'][];
    };
    ShownDeadLetter: {
      sourceId: string;
      sinkId: string;
      /** @description Number of the existence of the sink whose mapping refused the event. */
      incarnation: number;
      partition: number;
      offset: number;
      eventId: string;
      arrivedAt: string;
      /** @description For example `pathNotFound` or `templateError`. */
      reason: string;
      /** @description The column whose cell could not be made; empty: the event as a whole. */
      column: string;
      message: string;
      /** @description In the template of the column, as line and columns: `1:1-8`; may be empty. */
      place: string;
      mappingVersion: number;
      /** @description By canonical name. */
      headers: {
        [key: string]: string;
      };
      /** @description The bytes of the event. */
      bodyBase64: string;
      /** @description The column as that version of the mapping had it, with its template. */
      columnRule?: components['schemas']['Column'];
    };
    Replay: {
      id: string;
      /** @enum {string} */
      state: 'running' | 'stopped' | 'done' | 'failed';
      /** @description Why it failed; the letters that it did not reach stay as they are. */
      failure: {
        code: string;
        message: string;
      } | null;
      /** Format: date-time */
      askedAt: string;
      endedAt: string | null;
      /** @description Letters that the filter took when it was asked for. */
      matching: number;
      /** @description Letters that the filter took besides, which earlier existences of the sink left: they are not replayed, because their accounts are closed. */
      earlier: number;
      /** @description Letters that were looked at. */
      seen: number;
      /** @description Letters that are rows of the table now. */
      rows: number;
      /** @description Letters that the mapping does not want any more. */
      filtered: number;
      /** @description Letters that the mapping refuses still: they stay. */
      refused: number;
      /** @description Letters that do not keep all of their event, and cannot be mapped again: they stay. */
      partial: number;
      /** @description Imports that it took. */
      batches: number;
    };
    LastReplay: {
      /** @description The last one; null when there was none. */
      replay: components['schemas']['Replay'] | null;
    };
    ReplayTrial: {
      /** @description Letters that a replay would look at. */
      matching: number;
      /** @description Letters that the filter took besides, which earlier existences of the sink left: they are not replayed, because their accounts are closed. */
      earlier: number;
      /** @description The first of them. */
      letters: components['schemas']['TriedLetter'][];
    };
    TriedLetter: {
      eventId: string;
      partition: number;
      offset: number;
      /**
       * @description `partial`: the letter does not keep all of its event. It stays, as one that is refused still.
       * @enum {string}
       */
      outcome: 'row' | 'filtered' | 'refused' | 'partial';
      /** @description Cells by column. */
      row?: {
        [key: string]: string;
      };
      reason?: string;
      column?: string;
      message?: string;
      place?: string;
    };
    Bucket: {
      uri: string;
      id: string;
      name: string;
      displayName: string;
      description: string;
      stage: string;
      /** @description Absent: it came with its first table, and goes with its last. */
      created?: components['schemas']['Stamp'];
      tablesCount: number;
      rowsCount: number;
      /** @description Absent where the store does not know it of each table. */
      dataSizeBytes?: number;
    };
    StorageError: {
      /** @description What is wrong, as a sentence. */
      error: string;
      /** @description The name of the refusal; empty when no token was sent. */
      code: string;
      /** @description Under it the log knows more. */
      exceptionId: string;
      /** @constant */
      status: 'error';
    };
    /**
     * @example {
     *       "uri": "http://127.0.0.1:8000/v2/storage/tables/in.c-shop.orders",
     *       "id": "in.c-shop.orders",
     *       "name": "orders",
     *       "displayName": "orders",
     *       "primaryKey": [],
     *       "columns": [
     *         "id",
     *         "total"
     *       ],
     *       "rowsCount": 0,
     *       "bucket": {
     *         "id": "in.c-shop",
     *         "name": "c-shop",
     *         "stage": "in"
     *       }
     *     }
     */
    Table: {
      uri: string;
      id: string;
      name: string;
      displayName: string;
      primaryKey: string[];
      columns: string[];
      rowsCount: number;
      dataSizeBytes?: number;
      bucket: {
        id: string;
        name: string;
        stage: string;
      };
    };
    TablePreview: {
      columns: string[];
      rows: {
        columnName: string;
        value: string;
        isTruncated: boolean;
      }[][];
      /** @description True when rows within the limit are left out, because they would be too many bytes. */
      isTruncated?: boolean;
    };
    /**
     * @example {
     *       "sinks": [
     *         {
     *           "branchId": 1,
     *           "sourceId": "my-source",
     *           "sinkId": "my-sink",
     *           "state": "active",
     *           "columns": [
     *             "id",
     *             "total"
     *           ]
     *         }
     *       ],
     *       "waiting": [],
     *       "tokens": [
     *         {
     *           "id": "2",
     *           "description": "[_internal] Stream Sink my-source/my-sink"
     *         }
     *       ]
     *     }
     */
    TableDependents: {
      sinks: {
        branchId: number;
        sourceId: string;
        sinkId: string;
        /**
         * @description A deleted one makes the table again when it is undeleted, and does not keep it from being changed.
         * @enum {string}
         */
        state: 'active' | 'disabled' | 'deleted';
        columns: string[];
      }[];
      waiting: {
        branchId: number;
        sourceId: string;
        sinkId: string;
        /** @description In staging. */
        rows: number;
        /** @description The sink has accepted events for the table that may not be staged yet. */
        isBehind: boolean;
      }[];
      /** @description Of sinks that may write the bucket of the table. */
      tokens: {
        id: string;
        description: string;
      }[];
    };
    StoredFile: {
      id: number;
      uri: string;
      name: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      tags: string[];
      contentType?: string;
      /** @description Of its content, or as it was announced. */
      sizeBytes?: number;
      isPermanent: boolean;
      /**
       * Format: date-time
       * @description It is removed then; absent: it is permanent.
       */
      expiresAt?: string;
      isUploaded: boolean;
      /** @description GET answers its content, once it is uploaded; it wants a token. */
      url: string;
      /** @description Where the bytes are to be sent, as they are, with a token; absent once they are there. */
      upload?: {
        /** @enum {string} */
        method: 'PUT';
        url: string;
        /** Format: date-time */
        expiresAt: string;
      };
    };
    StorageJob: {
      id: number;
      /** @enum {string} */
      status: 'waiting' | 'processing' | 'success' | 'error';
      url: string;
      tableId: string;
      /** @enum {string} */
      operationName: 'tableCreate' | 'tableImport';
      operationParams: {
        source: {
          fileId: number;
        };
        params: {
          incremental: boolean;
          primaryKey: string[];
          delimiter: string;
          enclosure: string;
          escapedBy: string;
          columns?: string[];
          withoutHeaders: boolean;
          ignoredLinesCount: number;
        };
      };
      /** @example 2026-11-21T18:00:00+0000 */
      createdTime: string;
      startTime: string | null;
      endTime: string | null;
      /** @description Null until it has succeeded. */
      results: {
        id: string;
        totalRowsCount: number;
        importedColumns: string[];
      } | null;
      creatorToken: {
        id: number;
        description: string;
      };
      metrics: {
        inBytes: number;
        outBytes: number;
      };
      error?: {
        code: string;
        message: string;
      };
    };
    StorageIndex: {
      api: string;
      version: string;
      /** Format: uri */
      documentation: string;
      components: components['schemas']['Component'][];
      /** @description The interfaces of the installation: `storage`, `queue` for jobs, `stream` for sources. */
      services: {
        id: string;
        /** Format: uri */
        url: string;
      }[];
    };
    Component: {
      id: string;
      /** @enum {string} */
      type: 'extractor' | 'other';
      name: string;
      description: string;
      /** @description Ids of other installations under which it is known, too. */
      aliases: string[];
      flags: string[];
    };
    ComponentWithConfigurations: {
      id: string;
      /** @enum {string} */
      type: 'extractor' | 'other';
      name: string;
      description: string;
      /** @description Ids of other installations under which it is known, too. */
      aliases: string[];
      flags: string[];
      configurations: components['schemas']['ListedConfiguration'][];
    };
    ListedConfiguration: {
      id: string;
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      isDeleted: boolean;
      currentVersion: {
        /** @example 2026-11-21T18:00:00+0000 */
        created: string;
        creatorToken: {
          id: number;
          description: string;
        };
        changeDescription: string;
        versionIdentifier: string;
      };
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration?: {
        [key: string]: unknown;
      };
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state?: {
        [key: string]: unknown;
      };
      rowsSortOrder?: string[];
      rows?: components['schemas']['ConfigurationRow'][];
    };
    ConfigurationRow: {
      id: string;
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration: {
        [key: string]: unknown;
      };
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state: {
        [key: string]: unknown;
      };
    };
    Configuration: {
      id: string;
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      isDeleted: boolean;
      currentVersion: {
        /** @example 2026-11-21T18:00:00+0000 */
        created: string;
        creatorToken: {
          id: number;
          description: string;
        };
        changeDescription: string;
        versionIdentifier: string;
      };
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration: {
        [key: string]: unknown;
      };
      /**
       * @description What the last job has left for the next one; `{}` before the first. Of `generic-extractor` it is when the last run began, in seconds since 1970, for `{"time": "previousStart"}` in parameters.
       * @example {
       *       "time": {
       *         "previousStart": 1767225600
       *       }
       *     }
       */
      state: {
        [key: string]: unknown;
      };
      rowsSortOrder: string[];
      rows: components['schemas']['ConfigurationRow'][];
    };
    ConfigurationVersionEntry: {
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      isDeleted: boolean;
    };
    ConfigurationVersion: {
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      isDeleted: boolean;
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration: {
        [key: string]: unknown;
      };
      rows: components['schemas']['ConfigurationRowVersion'][];
    };
    ConfigurationRowVersion: {
      id: string;
      name: string;
      description: string;
      isDisabled: boolean;
      version: number;
      changeDescription: string;
      /** @example 2026-11-21T18:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      /**
       * @description What the component is to do. At its root it may have `parameters`, `storage`, `authorization`, `variables_id` and `variables_values_id`, `shared_code_id` and `shared_code_row_ids`. Of `generic-extractor` the parameters are `api` (where it asks, `pagination`) and `config` (`jobs`, `outputBucket`); of `variables` it is `{"variables": [{"name", "type"}]}`, and a row of it is `{"values": [{"name", "value"}]}`. `{{name}}` in a text is the place of the value of a variable. Texts at keys that begin with `#` are stored encrypted, and shown as ciphertexts.
       * @example {
       *       "parameters": {
       *         "api": {
       *           "baseUrl": "https://api.example.com/v1/",
       *           "pagination": {
       *             "method": "offset",
       *             "limit": 100
       *           }
       *         },
       *         "config": {
       *           "outputBucket": "crm",
       *           "jobs": [
       *             {
       *               "endpoint": "users",
       *               "dataField": "items"
       *             }
       *           ]
       *         }
       *       }
       *     }
       */
      configuration: {
        [key: string]: unknown;
      };
    };
    Schedule: {
      cron: string;
      timeZone: string;
      isEnabled: boolean;
      variableValuesId: string | null;
      variableValuesData: {
        values: {
          name: string;
          value: string;
        }[];
      };
      /** @example 2026-11-21T03:00:00+0000 */
      created: string;
      creatorToken: {
        id: number;
        description: string;
      };
      /**
       * @description When its definition was set last.
       * @example 2026-11-21T03:00:00+0000
       */
      updated: string;
      /** @description Planned time of the next run. In the past when it is due; null while it or its configuration is not enabled. */
      nextRun: string | null;
      lastRun: {
        /** @example 2026-11-21T03:00:00+0000 */
        plannedFor: string;
        jobId: string;
        /**
         * @description When its job was asked for.
         * @example 2026-11-21T03:00:00+0000
         */
        at: string;
      } | null;
      /** @description Planned times without a job, since the schedule was made. */
      missed: number;
      lastMissed: {
        /** @example 2026-11-21T03:00:00+0000 */
        plannedFor: string;
        /**
         * @description When that was found.
         * @example 2026-11-21T03:00:00+0000
         */
        at: string;
        /**
         * @description `nobodyRan`: no process kept schedules then; `stillRunning`: its last job had not ended; `tooManyJobs`: as many jobs waited as may.
         * @enum {string}
         */
        reason: 'nobodyRan' | 'stillRunning' | 'tooManyJobs';
      } | null;
    };
    VaultVariable: {
      name: string;
      /** @description Absent: it is the project's. */
      branchId?: number;
      created: components['schemas']['Stamp'];
      updated: components['schemas']['Stamp'];
    };
    Job: {
      /** @description A number. */
      id: string;
      /** @description The parent's run id, a dot and the id; without a parent the id. */
      runId: string;
      parentRunId: string;
      project: {
        id: string;
        name: string;
      };
      token: {
        id: string;
        description: string;
      };
      /**
       * @description `processing` until the job has ended.
       * @enum {string}
       */
      status: 'processing' | 'success' | 'warning' | 'error' | 'terminated' | 'cancelled';
      /**
       * @description Where it stands: `waiting` for others, `terminating` since somebody asked for its end.
       * @enum {string}
       */
      phase: 'created' | 'waiting' | 'running' | 'terminating' | 'ended';
      /** @enum {string} */
      desiredStatus: 'processing' | 'terminating';
      /** @enum {string} */
      mode: 'run' | 'forceRun' | 'debug';
      component: string;
      config: string | null;
      configData: {
        [key: string]: unknown;
      };
      configRowIds: string[];
      tag: string | null;
      createdTime: string;
      startTime: string | null;
      endTime: string | null;
      delayedStartTime: string | null;
      /** @description The time for which the schedule of the configuration planned it; null when somebody asked for it. */
      scheduledFor: string | null;
      durationSeconds: number;
      /** @description How often it was begun: again each time its process ended while it ran. */
      attempt: number;
      /** @description Why nobody begins it, in words, where that is not its turn; null otherwise. */
      heldUp: string | null;
      /** @description How far its run is, some seconds late; the last state stays. Null before the first page. */
      progress: components['schemas']['JobProgress'] | null;
      /** @description Empty until the job has ended. */
      result: components['schemas']['JobResult'] | Record<string, never>;
      usageData: Record<string, never>;
      isFinished: boolean;
      /** Format: uri */
      url: string;
      branchId: string;
      variableValuesId: string | null;
      /** @description A value that the configuration puts at a key with `#` is `[hidden]`. */
      variableValuesData: {
        values: {
          name: string;
          value: string;
        }[];
      };
      backend: Record<string, never>;
      executor: string | null;
      metrics: {
        storage: {
          inputTablesBytesSum: number;
          outputTablesBytesSum: number;
        };
        backend: {
          size: string | null;
          containerSize: string | null;
          context: string | null;
        };
      };
      behavior: {
        onError: string | null;
      };
      parallelism: string | null;
      /** @constant */
      type: 'standard';
      orchestrationJobId: string | null;
      orchestrationTaskId: string | null;
      onlyOrchestrationTaskIds: string | null;
      previousJobId: string | null;
    };
    JobProgress: {
      pages: number;
      /** @description Items of all pages; a table may have more rows, or fewer. */
      rows: number;
      /** @description Of the bodies of answers. */
      bytes: number;
      /** @description When it was so. */
      time: string;
    };
    JobResult: {
      message: string;
      configVersion: string | null;
      images: unknown[];
      input: {
        tables: unknown[];
      };
      output: {
        tables: {
          id: string;
          name: string;
          displayName: string;
          columns: {
            name: string;
          }[];
          rowsCount: number;
          sizeBytes: number;
        }[];
      };
      artifacts: {
        uploaded: unknown[];
        downloaded: unknown[];
      };
      /** @description What was put in for the placeholders. */
      variables: {
        name: string;
        value: string;
      }[];
      /** @description `user`: who configured it can mend it. */
      error?: {
        /** @enum {string} */
        type: 'user' | 'application';
        exceptionId: string;
      };
    };
    JobError: {
      /** @description What is wrong. */
      error: string;
      /** @description The status of the answer. */
      code: number;
      /** @description Under it the log knows more. */
      exceptionId: string;
      /** @constant */
      status: 'error';
      context: {
        /** @description The name of the refusal. */
        errorCode: string;
      };
    };
    JobEvent: {
      /** @description A later event of a log has a greater one. */
      id: string;
      uuid: string;
      /** @example ext.generic-extractor */
      event: string;
      component: string;
      configurationId: string | null;
      message: string;
      description: string;
      /** @enum {string} */
      type: 'info' | 'success' | 'warn' | 'error';
      runId: string;
      created: string;
      objectId: string;
      params: {
        jobId: string;
      };
      results: Record<string, never>;
      performance: Record<string, never>;
      token: {
        id: string;
        name: string;
      };
    };
    VerifiedToken: {
      id: string;
      description: string;
      /** Format: date-time */
      created: string;
      refreshed: string | null;
      isMasterToken: boolean;
      canManageBuckets: boolean;
      canManageTokens: boolean;
      canReadAllFileUploads: boolean;
      canPurgeTrash: boolean;
      canCreateJobs: boolean;
      expires: string | null;
      isExpired: boolean;
      isDisabled: boolean;
      bucketPermissions: {
        [key: string]: 'read' | 'write' | 'manage';
      };
      componentAccess: string[];
      /** @description Absent for what the product made itself. */
      creatorToken?: {
        id: string;
        description: string;
      };
      admin?: {
        id: number;
        name: string;
        /** @enum {string} */
        role: 'admin' | 'readOnly' | 'limited';
        features: string[];
      };
      owner: {
        id: number;
        name: string;
        type: string;
        features: string[];
        defaultBackend: string;
      };
    };
    Token: {
      id: string;
      description: string;
      /** Format: date-time */
      created: string;
      refreshed: string | null;
      isMasterToken: boolean;
      canManageBuckets: boolean;
      canManageTokens: boolean;
      canReadAllFileUploads: boolean;
      canPurgeTrash: boolean;
      canCreateJobs: boolean;
      expires: string | null;
      isExpired: boolean;
      isDisabled: boolean;
      bucketPermissions: {
        [key: string]: 'read' | 'write' | 'manage';
      };
      componentAccess: string[];
      /** @description Absent for what the product made itself. */
      creatorToken?: {
        id: string;
        description: string;
      };
      admin?: {
        id: number;
        name: string;
        /** @enum {string} */
        role: 'admin' | 'readOnly' | 'limited';
        features: string[];
      };
    };
    IssuedToken: {
      id: string;
      description: string;
      /** Format: date-time */
      created: string;
      refreshed: string | null;
      isMasterToken: boolean;
      canManageBuckets: boolean;
      canManageTokens: boolean;
      canReadAllFileUploads: boolean;
      canPurgeTrash: boolean;
      canCreateJobs: boolean;
      expires: string | null;
      isExpired: boolean;
      isDisabled: boolean;
      bucketPermissions: {
        [key: string]: 'read' | 'write' | 'manage';
      };
      componentAccess: string[];
      /** @description Absent for what the product made itself. */
      creatorToken?: {
        id: string;
        description: string;
      };
      admin?: {
        id: number;
        name: string;
        /** @enum {string} */
        role: 'admin' | 'readOnly' | 'limited';
        features: string[];
      };
      /** @description Its text, shown this once and kept nowhere. */
      token: string;
    };
    AuditTrail: {
      projectId: number;
      branchId: number;
      page: components['schemas']['Page'];
      entries: components['schemas']['AuditEntry'][];
    };
    AuditEntry: {
      /** @description A number; a later entry has a greater one. */
      id: string;
      /**
       * @description The `operationId` of the request.
       * @example updateSink
       */
      operation: string;
      object?: {
        /** @enum {string} */
        kind:
          | 'source'
          | 'sink'
          | 'token'
          | 'table'
          | 'bucket'
          | 'file'
          | 'configuration'
          | 'schedule'
          | 'vaultVariable'
          | 'job';
        branchId?: number;
        sourceId?: string;
        sinkId?: string;
        tokenId?: string;
        tableId?: string;
        bucketId?: string;
        fileId?: string;
        componentId?: string;
        configurationId?: string;
        name?: string;
        jobId?: string;
      };
      /** Format: date-time */
      at: string;
      by: {
        /** @enum {string} */
        type: 'user' | 'system';
        tokenId?: string;
        tokenDesc?: string;
      };
      /** @description The `exceptionId` of its answer, if that was an error of our side. */
      requestId: string;
      task?: {
        taskId: string;
        /** Format: uri */
        url: string;
      };
      /**
       * @description `interrupted`: the process died before it could say; `after` is what its successor found.
       * @enum {string}
       */
      outcome: 'processing' | 'success' | 'error' | 'interrupted';
      /** Format: date-time */
      finishedAt?: string;
      error?: string;
      /** @description The definition before the change, without secrets. Absent when it did not exist; absent with `after` when nothing of it changed. `isCut`: it was too large to be kept whole. */
      before?: {
        [key: string]: unknown;
      };
      /** @description The definition after the change, likewise. */
      after?: {
        [key: string]: unknown;
      };
    };
    Backup: {
      /** @enum {string} */
      state: 'running' | 'done' | 'failed' | 'stopped';
      /** @description The folder, on the disk of the process. */
      to: string;
      /** Format: date-time */
      startedAt: string;
      /** Format: date-time */
      finishedAt?: string;
      /**
       * Format: date-time
       * @description The moment that it shows, once it is done.
       */
      at?: string;
      bytes: number;
      /** @description About how many bytes there are. */
      ofBytes: number;
      error?: string;
    };
  };
  responses: {
    /** @description The request is not valid: `missingField`, `missingPayload`, `decodePayload`, `invalidFieldType`, `invalidEnumValue`, `invalidLength`, `invalidRange`, `invalidFormat`, `invalidPattern`, `badRequest`, `invalidJob`, `invalidSchedule`, `jobEnded`, `backupRefused`. */
    BadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request took too long: `requestTimeout`. */
    RequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description A defect of the product: `internalError`. */
    InternalError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description A part does not answer: try again: `serviceUnavailable`. */
    ServiceUnavailable: {
      headers: {
        /** @description Seconds to wait. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No token, or a wrong one: `unauthorized`. */
    Unauthorized: {
      headers: {
        /** @description How to authenticate. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Not allowed: `forbidden`. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is too large: `payloadTooLarge`. */
    PayloadTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is of another type: `unsupportedMediaType`. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request is not valid: `validation.missingField`, `validation.missingPayload`, `validation.decodePayload`, `validation.invalidFieldType`, `validation.invalidEnumValue`, `validation.invalidLength`, `validation.invalidRange`, `validation.invalidFormat`, `validation.invalidPattern`, `badRequest`, `storage.tables.validation`, `storage.tables.invalidColumnName`, `storage.tables.columnAlreadyExists`, `storage.files.validation`, `storage.fileNotUploaded`, `storage.files.alreadyUploaded`, `storage.buckets.validation`, `storage.buckets.alreadyExists`, `storage.buckets.tableAlreadyExists`, `buckets.deleteNotEmpty`, `storage.tokens.invalidPermissions`, `storage.components.validation`, `validation.invalidConfigurationFormat`, `validation.invalidStateFormat`, `configurationAlreadyExists`, `storage.components.encryption`, `validation.invalidSchedule`. */
    StorageBadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description No token, or a wrong one: `storage.tokenInvalid`. */
    StorageUnauthorized: {
      headers: {
        /** @description How to authenticate. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description Not allowed: `accessDenied`. */
    StorageForbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description The request took too long: `requestTimeout`. */
    StorageRequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description A defect of the product: `internalError`. */
    StorageInternalError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description A part does not answer: try again: `serviceUnavailable`. */
    StorageServiceUnavailable: {
      headers: {
        /** @description Seconds to wait. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description The body is too large: `payloadTooLarge`. */
    StoragePayloadTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description The body is of another type: `unsupportedMediaType`. */
    StorageUnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['StorageError'];
      };
    };
    /** @description The request is not valid: `missingField`, `missingPayload`, `decodePayload`, `invalidFieldType`, `invalidEnumValue`, `invalidLength`, `invalidRange`, `invalidFormat`, `invalidPattern`, `badRequest`, `invalidJob`, `invalidSchedule`, `jobEnded`, `backupRefused`. */
    JobsBadRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description No token, or a wrong one: `unauthorized`. */
    JobsUnauthorized: {
      headers: {
        /** @description How to authenticate. */
        'WWW-Authenticate'?: string;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description Not allowed: `forbidden`. */
    JobsForbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description The request took too long: `requestTimeout`. */
    JobsRequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description The body is too large: `payloadTooLarge`. */
    JobsPayloadTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description The body is of another type: `unsupportedMediaType`. */
    JobsUnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description A defect of the product: `internalError`. */
    JobsInternalError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
    /** @description A part does not answer: try again: `serviceUnavailable`. */
    JobsServiceUnavailable: {
      headers: {
        /** @description Seconds to wait. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JobError'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  root: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description To `/v1`. */
      301: {
        headers: {
          /** @description The path `/v1`. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'text/plain': unknown;
          'text/html': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  index: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            api: string;
            /** Format: uri */
            documentation: string;
          };
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  healthCheck: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description `OK`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  documentation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  documentationAsset: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        file: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/css': unknown;
          'text/javascript': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      /** @description Not found: `endpointNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  openApiJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  openApiYaml: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/yaml': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  openApi3Json: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  openApi3Yaml: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/yaml': unknown;
        };
      };
      400: components['responses']['BadRequest'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The id as the task shows it; it holds slashes. */
        taskId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `taskNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  aggregateSources: {
    parameters: {
      query?: {
        /** @description Show what follows this id. */
        afterId?: string;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sources, ascending by id, with all their sinks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AggregatedSourceList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getConservation: {
    parameters: {
      query?: {
        /** @description How far back samples are shown, as `24h`: by the minute up to a day, by the hour beyond. A day when absent. */
        since?: string;
        /** @description Only this source and its sinks. */
        sourceId?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The numbers now, and as they were. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Conservation'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rankSinks: {
    parameters: {
      query?: {
        /** @description What the sinks are ordered by, most first; `lagSeconds` when absent. */
        by?:
          | 'lagEvents'
          | 'lagSeconds'
          | 'stagedEvents'
          | 'parkedEvents'
          | 'deadLetters'
          | 'holes'
          | 'givenUp'
          | 'difference';
        /** @description Leave out so many; 0 when absent. */
        offset?: number;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Those that have any of it, as the last look at all sinks found them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ranking'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSources: {
    parameters: {
      query?: {
        /** @description Show what follows this id. */
        afterId?: string;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sources. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSourceBody'];
      };
    };
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sourceAlreadyExists`, `sourceCountLimitReached`, `sinkCountLimitReached`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listDeletedSources: {
    parameters: {
      query?: {
        /** @description Show what follows this id. */
        afterId?: string;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sources. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The source. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Source'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteSource: {
    parameters: {
      query?: {
        /** @description `true`: the source is gone for good, with its sinks, all versions and the tables of the sinks; what is not in them by then is given up. */
        cascade?: 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSourceBody'];
      };
    };
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  disableSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  enableSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  undeleteSource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `deletedSourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sourceCountLimitReached`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateSecret: {
    parameters: {
      query?: {
        /** @description How long the secret that is replaced stays valid beside the new one; none when absent. */
        overlap?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The source, with its new address. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Source'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSourceSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All settings of this level, sorted by key, with effective values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettingsResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateSourceSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SettingsBody'];
      };
    };
    responses: {
      /** @description All settings of this level, sorted by key, with effective values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettingsResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  testSource: {
    parameters: {
      query?: {
        /** @description Of an OTLP source; default `logs`. */
        signal?: 'logs' | 'metrics' | 'traces';
        /** @description As a sender would send it: how the body is split into events, `off`, `lines`, `array`, `auto`, or `path:PATH` for the elements of the array at a path. */
        batch?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    /** @description What a sender would send, with its content type. */
    requestBody?: {
      content: {
        'application/json': unknown;
        'text/plain': string;
        'application/octet-stream': unknown;
      };
    };
    responses: {
      /** @description Every column renders. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      /** @description A column cannot be rendered; the others are shown. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TestResult'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description 1 to 1000 events, 100 when absent; fewer when they are longer than a megabyte together. */
        limit?: number;
        /** @description Of an earlier answer: what comes behind it, the oldest first. Absent: the last events. */
        position?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, and where they end. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceEvents'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  traceEvents: {
    parameters: {
      query?: {
        /** @description Of the event that is meant. */
        eventId?: string;
        /** @description Its place: partition and offset, such as `0:17`. */
        at?: string;
        /** @description Whose mapping makes the `column`. */
        sinkId?: string;
        /** @description A column of the sink: events of which its mapping of now makes `value` are meant. */
        column?: string;
        /** @description The text of the cell, as a whole. */
        value?: string;
        /** @description Events that arrived then or later. */
        since?: string;
        /** @description Events that arrived before. */
        until?: string;
        /** @description How many events are enough: one when an `eventId` is given, else 10. */
        limit?: number;
        /** @description Of an earlier answer to the same question: the search goes on there. */
        position?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, and how far was looked. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceTrace'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      415: components['responses']['UnsupportedMediaType'];
      /** @description Understood, and not possible: `unprocessableContent`. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSourceVersions: {
    parameters: {
      query?: {
        /** @description Show what follows this version; `2` and `0000000002` are the same. */
        afterId?: number;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VersionList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSourceVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SourceVersion'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sourceVersionNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rollbackSourceVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sourceVersionNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  clearSourceStatistics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; rows that wait are still counted. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSinks: {
    parameters: {
      query?: {
        /** @description Show what follows this id. */
        afterId?: string;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sinks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSinkBody'];
      };
    };
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sinkAlreadyExists`, `sinkCountLimitReached`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listDeletedSinks: {
    parameters: {
      query?: {
        /** @description Show what follows this id. */
        afterId?: string;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of sinks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sink. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Sink'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sourceDisabled`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateSinkBody'];
      };
    };
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  disableSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sourceDisabled`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  enableSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sourceDisabled`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  undeleteSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`, `deletedSinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `sinkCountLimitReached`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All settings of this level, sorted by key, with effective values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettingsResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateSinkSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SettingsBody'];
      };
    };
    responses: {
      /** @description All settings of this level, sorted by key, with effective values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettingsResult'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSinkVersions: {
    parameters: {
      query?: {
        /** @description Show what follows this version; `2` and `0000000002` are the same. */
        afterId?: number;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VersionList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkVersion'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`, `sinkVersionNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rollbackSinkVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`, `sinkVersionNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `versionCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  flushSink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that does it; poll its `url`. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Task'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkProgress: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Numbers per partition and in total. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkProgress'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkWhy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A verdict, and what it is made of. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkWhy'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkStatisticsTotal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Their sum, and each level that holds anything. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Statistics'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getSinkStatisticsFiles: {
    parameters: {
      query?: {
        /** @description `true`: only files whose import failed and is tried again. */
        failedFiles?: 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Imported ones first, as far as the history has them; those that do not get on last. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SinkFiles'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  clearSinkStatistics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; rows that wait are still counted. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listImports: {
    parameters: {
      query?: {
        /** @description Show what came before the import with this number. */
        afterId?: number;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of imports that have ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listDeadLetters: {
    parameters: {
      query?: {
        /** @description Of this source and its sinks. */
        sourceId?: string;
        /** @description Of this sink; only with `sourceId`. */
        sinkId?: string;
        /** @description With this reason, for example `templateError`. */
        reason?: string;
        /** @description Whose cell of this column could not be made. */
        column?: string;
        /** @description Of this event. */
        eventId?: string;
        /** @description The event arrived then or later. */
        since?: string;
        /** @description The event arrived before that. */
        until?: string;
        /** @description 1 to 1000, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Dead letters that are in the table. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeadLetterList'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  purgeDeadLetters: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PurgeDeadLettersBody'];
      };
    };
    responses: {
      /** @description So many are gone. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PurgedDeadLetters'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  countDeadLetters: {
    parameters: {
      query?: {
        /** @description Of this source and its sinks. */
        sourceId?: string;
        /** @description Of this sink; only with `sourceId`. */
        sinkId?: string;
        /** @description With this reason, for example `templateError`. */
        reason?: string;
        /** @description Whose cell of this column could not be made. */
        column?: string;
        /** @description Of this event. */
        eventId?: string;
        /** @description The event arrived then or later. */
        since?: string;
        /** @description The event arrived before that. */
        until?: string;
        /** @description 1 to 1000, 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How many are in the table. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeadLetterCounts'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  showDeadLetter: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What sinks could not map. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShownDeadLetters'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `deadLetterNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it stands now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LastReplay'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  replayDeadLetters: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayDeadLettersBody'];
      };
    };
    responses: {
      /** @description It runs; GET tells how far it is. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  tryReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TryReplayBody'];
      };
    };
    responses: {
      /** @description What the mapping in use makes of them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayTrial'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      /** @description Understood, and not possible: `unprocessableContent`. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  stopReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        sourceId: string;
        sinkId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It begins nothing more. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `sourceNotFound`, `sinkNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listBuckets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Buckets, sorted by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Bucket'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createBucket: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateBucketBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateBucketBody'];
      };
    };
    responses: {
      /** @description The bucket. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Bucket'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getBucket: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        bucketId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The bucket. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Bucket'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.buckets.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteBucket: {
    parameters: {
      query?: {
        /** @description `true`: with its tables. None of them may be filled by a sink. */
        force?: '0' | '1' | 'true' | 'false';
      };
      header?: never;
      path: {
        bucketId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.buckets.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listBucketTables: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        bucketId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Tables, sorted by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.buckets.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createTable: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        bucketId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTableBody'];
      };
    };
    responses: {
      /** @description The table. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.buckets.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.alreadyExists`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listTables: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Tables, sorted by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getTable: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The table. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteTable: {
    parameters: {
      query?: {
        /** @description `true`: also when sinks fill the table or rows wait for it. These wait until there is a table again. */
        force?: 'true' | 'false';
      };
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  previewTable: {
    parameters: {
      query?: {
        /** @description 1 to 1000, 100 when absent. */
        limit?: number;
        /** @description `csv` (also called `rfc`) when absent. */
        format?: 'csv' | 'rfc' | 'json';
        /** @description Names, separated by commas; all when absent. */
        columns?: string;
        /** @description Only rows with these cells: a JSON object of at most 20 columns and texts, `{"customer":"Ada"}`; compared byte for byte. */
        where?: string;
        /** @description With `true` the last rows instead of the first, in the same order. */
        last?: 'true' | 'false';
      };
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Rows as CSV, or with `format=json` as this; with `Millrace-Truncated: true` fewer than the limit, because 16 MB are shown at most. */
      200: {
        headers: {
          /** @description `true` when rows within the limit are left out; absent otherwise. */
          'Millrace-Truncated'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TablePreview'];
          'text/csv': unknown;
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  exportTable: {
    parameters: {
      query?: {
        /** @description `csv` when absent. */
        format?: 'csv' | 'ndjson' | 'parquet';
      };
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The table as CSV with a header line, one JSON object a line, or Parquet. */
      200: {
        headers: {
          /** @description A file name. */
          'Content-Disposition'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/csv': unknown;
          'application/x-ndjson': unknown;
          'application/vnd.apache.parquet': unknown;
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listTableDependents: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What depends on it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TableDependents'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteTableRows: {
    parameters: {
      query?: {
        /** @description `true`: also when sinks fill the table or rows wait for it. These wait until there is a table again. */
        force?: 'true' | 'false';
      };
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is empty. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  renameTable: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenameTableBody'];
      };
    };
    responses: {
      /** @description The table under its new id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`, `storage.tables.alreadyExists`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  addColumn: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['AddColumnBody'];
        'application/x-www-form-urlencoded': components['schemas']['AddColumnBody'];
      };
    };
    responses: {
      /** @description The table. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Table'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  dropColumn: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
        columnName: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`, `storage.tables.columnNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  prepareFile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PrepareFileBody'];
        'application/x-www-form-urlencoded': components['schemas']['PrepareFileBody'];
      };
    };
    responses: {
      /** @description The file. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredFile'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listFiles: {
    parameters: {
      query?: {
        /** @description 100 when absent. */
        limit?: number;
        offset?: number;
        /** @description Only files with all of these tags, separated by commas; `tags[]`, too. */
        tags?: string;
        /** @description Only files whose name has this text, in any letter case. */
        q?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of files. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredFile'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredFile'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  downloadFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The bytes as they were uploaded. */
      200: {
        headers: {
          /** @description Its name. */
          'Content-Disposition'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': unknown;
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  uploadFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
      };
      cookie?: never;
    };
    /** @description The bytes as they are; none of an empty file. */
    requestBody?: {
      content: {
        'application/octet-stream': unknown;
      };
    };
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredFile'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      /** @description Refused: `clientClosed`. */
      499: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  addFileTag: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TagBody'];
        'application/x-www-form-urlencoded': components['schemas']['TagBody'];
      };
    };
    responses: {
      /** @description The file. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StoredFile'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  removeFileTag: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        fileId: string;
        tag: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It has it not. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createTableFromFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        bucketId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateTableFromFileBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateTableFromFileBody'];
      };
    };
    responses: {
      /** @description The job, which goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageJob'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.buckets.notFound`, `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  importTable: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tableId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ImportTableBody'];
        'application/x-www-form-urlencoded': components['schemas']['ImportTableBody'];
      };
    };
    responses: {
      /** @description The job, which goes on after this answer. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageJob'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tables.notFound`, `storage.files.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tables.inUse`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listStorageJobs: {
    parameters: {
      query?: {
        /** @description 100 when absent. */
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of jobs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageJob'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getStorageJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageJob'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  storageIndex: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Components and services. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageIndex'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listComponents: {
    parameters: {
      query?: {
        /** @description `1`: those that are deleted and can be restored, instead of the others. */
        isDeleted?: '0' | '1' | 'true' | 'false';
        /** @description Only components of this type: `extractor`, `other`. */
        componentType?: string;
        /** @description Separated by commas: `configuration`, `rows`, `state` are shown, too. */
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Components, in a fixed order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ComponentWithConfigurations'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      413: components['responses']['StoragePayloadTooLarge'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listComponentsInBranch: {
    parameters: {
      query?: {
        /** @description `1`: those that are deleted and can be restored, instead of the others. */
        isDeleted?: '0' | '1' | 'true' | 'false';
        /** @description Only components of this type: `extractor`, `other`. */
        componentType?: string;
        /** @description Separated by commas: `configuration`, `rows`, `state` are shown, too. */
        include?: string;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Components, in a fixed order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ComponentWithConfigurations'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      413: components['responses']['StoragePayloadTooLarge'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getComponent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The component. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Component'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getComponentInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The component. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Component'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurations: {
    parameters: {
      query?: {
        /** @description `1`: those that are deleted and can be restored, instead of the others. */
        isDeleted?: '0' | '1' | 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Configurations, sorted by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      413: components['responses']['StoragePayloadTooLarge'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateConfigurationBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationsInBranch: {
    parameters: {
      query?: {
        /** @description `1`: those that are deleted and can be restored, instead of the others. */
        isDeleted?: '0' | '1' | 'true' | 'false';
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Configurations, sorted by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      413: components['responses']['StoragePayloadTooLarge'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateConfigurationBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  updateConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['UpdateConfigurationBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  updateConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['UpdateConfigurationBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is deleted. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setConfigurationState: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['StateBody'];
        'application/x-www-form-urlencoded': components['schemas']['StateBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setConfigurationStateInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['StateBody'];
        'application/x-www-form-urlencoded': components['schemas']['StateBody'];
      };
    };
    responses: {
      /** @description The configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  restoreConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  restoreConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Configuration'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationVersions: {
    parameters: {
      query?: {
        /** @description So many, 100 when absent. */
        limit?: number;
        /** @description So many of the newest are left out. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationVersionEntry'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationVersionsInBranch: {
    parameters: {
      query?: {
        /** @description So many, 100 when absent. */
        limit?: number;
        /** @description So many of the newest are left out. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationVersionEntry'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationVersion'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationVersionInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationVersion'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  rollbackConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description The version that it has now. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            version: number;
          };
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  rollbackConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description The version that it has now. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            version: number;
          };
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  copyConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CopyConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['CopyConfigurationBody'];
      };
    };
    responses: {
      /** @description The id of the copy. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            id: string;
          };
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  copyConfigurationInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CopyConfigurationBody'];
        'application/x-www-form-urlencoded': components['schemas']['CopyConfigurationBody'];
      };
    };
    responses: {
      /** @description The id of the copy. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            id: string;
          };
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationRows: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Rows, in their order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateRowBody'];
      };
    };
    responses: {
      /** @description The row. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationRowsInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Rows, in their order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['CreateRowBody'];
      };
    };
    responses: {
      /** @description The row. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  updateConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['UpdateRowBody'];
      };
    };
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  updateConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UpdateRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['UpdateRowBody'];
      };
    };
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setConfigurationRowState: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['StateBody'];
        'application/x-www-form-urlencoded': components['schemas']['StateBody'];
      };
    };
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setConfigurationRowStateInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['StateBody'];
        'application/x-www-form-urlencoded': components['schemas']['StateBody'];
      };
    };
    responses: {
      /** @description The row. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationRowVersions: {
    parameters: {
      query?: {
        /** @description So many, 100 when absent. */
        limit?: number;
        /** @description So many of the newest are left out. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRowVersion'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listConfigurationRowVersionsInBranch: {
    parameters: {
      query?: {
        /** @description So many, 100 when absent. */
        limit?: number;
        /** @description So many of the newest are left out. */
        offset?: number;
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Versions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRowVersion'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationRowVersion: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRowVersion'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getConfigurationRowVersionInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRowVersion'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  rollbackConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description The row. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  rollbackConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ChangeNoteBody'];
        'application/x-www-form-urlencoded': components['schemas']['ChangeNoteBody'];
      };
    };
    responses: {
      /** @description The row. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  copyConfigurationRow: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CopyRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['CopyRowBody'];
      };
    };
    responses: {
      /** @description The row that was added. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  copyConfigurationRowInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
        rowId: string;
        versionNumber: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CopyRowBody'];
        'application/x-www-form-urlencoded': components['schemas']['CopyRowBody'];
      };
    };
    responses: {
      /** @description The row that was added. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationRow'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The schedule. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Schedule'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ScheduleBody'];
      };
    };
    responses: {
      /** @description The schedule. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Schedule'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteSchedule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getScheduleInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The schedule. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Schedule'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setScheduleInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ScheduleBody'];
      };
    };
    responses: {
      /** @description The schedule. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Schedule'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteScheduleInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        /** @description Or an alias of it. */
        componentId: string;
        configurationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.components.configurations.versionConflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listVaultVariables: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sorted by name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VaultVariable'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setVaultVariable: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VaultBody'];
        'application/x-www-form-urlencoded': components['schemas']['VaultBody'];
      };
    };
    responses: {
      /** @description The value, without itself. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VaultVariable'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listVaultVariablesInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sorted by name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VaultVariable'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  setVaultVariableInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['VaultBody'];
        'application/x-www-form-urlencoded': components['schemas']['VaultBody'];
      };
    };
    responses: {
      /** @description The value, without itself. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VaultVariable'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteVaultVariable: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteVaultVariableInBranch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listJobs: {
    parameters: {
      query?: {
        /** @description Numbers of jobs. Several are separated by commas, or given as `[]` each. */
        id?: string;
        /** @description Run ids. Several are separated by commas, or given as `[]` each. */
        runId?: string;
        /** @description Run ids of parents. Several are separated by commas, or given as `[]` each. */
        parentRunId?: string;
        /** @description Numbers of branches. Several are separated by commas, or given as `[]` each. */
        branchId?: string;
        /** @description Ids of the tokens that they were created with. Several are separated by commas, or given as `[]` each. */
        tokenId?: string;
        /** @description Ids of components. Several are separated by commas, or given as `[]` each. */
        component?: string;
        /** @description Ids of configurations. Several are separated by commas, or given as `[]` each. */
        config?: string;
        /** @description Rows that were asked for. Several are separated by commas, or given as `[]` each. */
        configRowIds?: string;
        /** @description `run`, `forceRun` or `debug`. Several are separated by commas, or given as `[]` each. */
        mode?: string;
        /** @description Statuses, or phases: `waiting`. Several are separated by commas, or given as `[]` each. */
        status?: string;
        /** @description `true`: only those that a schedule asked for; `false`: only the others. */
        isScheduled?: '0' | '1' | 'true' | 'false';
        /** @description `standard`: there are no others. Several are separated by commas, or given as `[]` each. */
        type?: string;
        createdTimeFrom?: string;
        createdTimeTo?: string;
        startTimeFrom?: string;
        startTimeTo?: string;
        endTimeFrom?: string;
        endTimeTo?: string;
        durationSecondsFrom?: number;
        durationSecondsTo?: number;
        /** @description 0 when absent. */
        offset?: number;
        /** @description 100 when absent. */
        limit?: number;
        /** @description `id` when absent. */
        sortBy?:
          | 'id'
          | 'runId'
          | 'status'
          | 'component'
          | 'config'
          | 'createdTime'
          | 'startTime'
          | 'endTime'
          | 'durationSeconds';
        /** @description `desc` when absent. */
        sortOrder?: 'asc' | 'desc';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Jobs that fit, the newest first unless asked otherwise. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'][];
        };
      };
      400: components['responses']['JobsBadRequest'];
      401: components['responses']['JobsUnauthorized'];
      403: components['responses']['JobsForbidden'];
      408: components['responses']['JobsRequestTimeout'];
      500: components['responses']['JobsInternalError'];
      503: components['responses']['JobsServiceUnavailable'];
    };
  };
  createJob: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateJobBody'];
      };
    };
    responses: {
      /** @description The job. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      400: components['responses']['JobsBadRequest'];
      401: components['responses']['JobsUnauthorized'];
      403: components['responses']['JobsForbidden'];
      408: components['responses']['JobsRequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`, `jobCountLimitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobError'];
        };
      };
      413: components['responses']['JobsPayloadTooLarge'];
      415: components['responses']['JobsUnsupportedMediaType'];
      500: components['responses']['JobsInternalError'];
      503: components['responses']['JobsServiceUnavailable'];
    };
  };
  searchJobs: {
    parameters: {
      query?: {
        /** @description Numbers of jobs. Several are separated by commas, or given as `[]` each. */
        id?: string;
        /** @description Run ids. Several are separated by commas, or given as `[]` each. */
        runId?: string;
        /** @description Run ids of parents. Several are separated by commas, or given as `[]` each. */
        parentRunId?: string;
        /** @description Numbers of branches. Several are separated by commas, or given as `[]` each. */
        branchId?: string;
        /** @description Ids of the tokens that they were created with. Several are separated by commas, or given as `[]` each. */
        tokenId?: string;
        /** @description Ids of components. Several are separated by commas, or given as `[]` each. */
        component?: string;
        /** @description Ids of configurations. Several are separated by commas, or given as `[]` each. */
        config?: string;
        /** @description Rows that were asked for. Several are separated by commas, or given as `[]` each. */
        configRowIds?: string;
        /** @description `run`, `forceRun` or `debug`. Several are separated by commas, or given as `[]` each. */
        mode?: string;
        /** @description Statuses, or phases: `waiting`. Several are separated by commas, or given as `[]` each. */
        status?: string;
        /** @description `true`: only those that a schedule asked for; `false`: only the others. */
        isScheduled?: '0' | '1' | 'true' | 'false';
        /** @description `standard`: there are no others. Several are separated by commas, or given as `[]` each. */
        type?: string;
        createdTimeFrom?: string;
        createdTimeTo?: string;
        startTimeFrom?: string;
        startTimeTo?: string;
        endTimeFrom?: string;
        endTimeTo?: string;
        durationSecondsFrom?: number;
        durationSecondsTo?: number;
        /** @description 0 when absent. */
        offset?: number;
        /** @description 100 when absent. */
        limit?: number;
        /** @description `id` when absent. */
        sortBy?:
          | 'id'
          | 'runId'
          | 'status'
          | 'component'
          | 'config'
          | 'createdTime'
          | 'startTime'
          | 'endTime'
          | 'durationSeconds';
        /** @description `desc` when absent. */
        sortOrder?: 'asc' | 'desc';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Jobs that fit, the newest first unless asked otherwise. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'][];
        };
      };
      400: components['responses']['JobsBadRequest'];
      401: components['responses']['JobsUnauthorized'];
      403: components['responses']['JobsForbidden'];
      408: components['responses']['JobsRequestTimeout'];
      500: components['responses']['JobsInternalError'];
      503: components['responses']['JobsServiceUnavailable'];
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      400: components['responses']['JobsBadRequest'];
      401: components['responses']['JobsUnauthorized'];
      403: components['responses']['JobsForbidden'];
      /** @description Not found: `jobNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobError'];
        };
      };
      408: components['responses']['JobsRequestTimeout'];
      500: components['responses']['JobsInternalError'];
      503: components['responses']['JobsServiceUnavailable'];
    };
  };
  killJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job as it stands now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      400: components['responses']['JobsBadRequest'];
      401: components['responses']['JobsUnauthorized'];
      403: components['responses']['JobsForbidden'];
      /** @description Not found: `jobNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobError'];
        };
      };
      408: components['responses']['JobsRequestTimeout'];
      /** @description In the way of what is there: `operationInProgress`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobError'];
        };
      };
      500: components['responses']['JobsInternalError'];
      503: components['responses']['JobsServiceUnavailable'];
    };
  };
  listJobEvents: {
    parameters: {
      query?: {
        /** @description Of this run, and of those that it has started. */
        runId?: string;
        /** @description Of jobs of this component. */
        component?: string;
        /** @description Of jobs of this configuration. */
        configurationId?: string;
        /** @description Only later events than this one. */
        sinceId?: string;
        /** @description Only earlier events than this one. */
        maxId?: string;
        /** @description Only with this text in the message, in letters of either case. */
        q?: string;
        /** @description 100 when absent. Fewer are shown where they are more than 16 MiB: go on with `maxId`. */
        limit?: number;
        /** @description 0 when absent. */
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobEvent'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  verifyToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token, without its text. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VerifiedToken'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Tokens by number. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'][];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTokenBody'];
      };
    };
    responses: {
      /** @description The token with its text. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedToken'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`, `storage.tokens.limitReached`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      413: components['responses']['StoragePayloadTooLarge'];
      415: components['responses']['StorageUnsupportedMediaType'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  listAudit: {
    parameters: {
      query?: {
        /** @description Show what came before the entry with this id. */
        afterId?: number;
        /** @description Items on a page, 100 when absent. */
        limit?: number;
        /** @description Of this source and its sinks. */
        sourceId?: string;
        /** @description Of sinks with this id. */
        sinkId?: string;
        /** @description Of this token. */
        tokenId?: string;
        /** @description An `operationId`, for example `updateSink`. */
        operation?: string;
        /** @description Made with the token that has this id. */
        by?: string;
        outcome?: 'processing' | 'success' | 'error' | 'interrupted';
      };
      header?: never;
      path: {
        /** @description `default` or a positive integer. */
        branchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditTrail'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tokens.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  deleteToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tokens.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  refreshToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A number. */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token with its new text. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedToken'];
        };
      };
      400: components['responses']['StorageBadRequest'];
      401: components['responses']['StorageUnauthorized'];
      403: components['responses']['StorageForbidden'];
      /** @description Not found: `storage.tokens.notFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      408: components['responses']['StorageRequestTimeout'];
      /** @description In the way of what is there: `conflict`. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StorageError'];
        };
      };
      500: components['responses']['StorageInternalError'];
      503: components['responses']['StorageServiceUnavailable'];
    };
  };
  getBackup: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How far it is. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `backupNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  startBackup: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartBackupBody'];
      };
    };
    responses: {
      /** @description It runs; ask for it until it is done. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  stopBackup: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It runs no more. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Backup'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description Not found: `backupNotFound`. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      408: components['responses']['RequestTimeout'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
}
