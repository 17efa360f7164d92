import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const kafkaVersion = '4.3.0';

/** Kafka's jars, fetched once by Maven into a cache of the user. */
export async function kafkaLibraries(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');
  const folder = join(cache, `kafka-${kafkaVersion}`);
  if (
    await readdir(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    await writeFile(join(work, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
    await run('mvn', ['-B', '-ntp', '-q', ...goal], { cwd: work });
    await rename(join(work, 'libs'), folder).catch(async (error: unknown) => {
      // Another process was faster.
      if ((await readdir(folder)).length === 0) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
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
