import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

const kafkaVersion = '4.3.0';

/** Names what is made of this release in the cache. */
export const kafkaRelease = `kafka-${kafkaVersion}`;

/** Kafka's jars, fetched once by Maven into a cache of the user. */
export async function kafkaLibraries(): Promise<string> {
  return madeOnce(kafkaRelease, async (work) => {
    await writeFile(join(work, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
    await run('mvn', ['-B', '-ntp', '-q', ...goal], { cwd: work });
    return 'libs';
  });
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>millrace</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${kafkaVersion}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>2.25.3</version>
    </dependency>
  </dependencies>
</project>
`;
