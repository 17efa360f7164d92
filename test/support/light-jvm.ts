/**
 * Options of Java for servers that live for a moment, several beside each other: code is compiled soon, and by one compiler alone. A broker
 * is ready after 3 s of processor time instead of 5.
 */
export const lightJvm = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];
