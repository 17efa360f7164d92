/** The topic of the source of OpenTelemetry of the crash tests. */
export const telemetryTopic = 'source.1.telemetry';
