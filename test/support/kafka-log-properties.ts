/** What a Kafka server says, on its standard output. */
export const kafkaLogProperties = `rootLogger.level=INFO
rootLogger.appenderRef.stdout.ref=STDOUT
appender.console.type=Console
appender.console.name=STDOUT
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m%n
`;
