import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

const connectVersion = '4.3.0';
const pluginVersion = '0.8.84';

/** What a Kafka Connect worker is started with. */
export interface ConnectLibraries {
  readonly classPath: string;
  /** Folder of the connectors. */
  readonly plugins: string;
}

/** Connect and the HTTP sink connector, fetched once by Maven into a cache of the user; others who want it meanwhile wait. */
export async function connectLibraries(): Promise<ConnectLibraries> {
  const folder = await madeOnce(`connect-${connectVersion}-http-${pluginVersion}`, async (work) => {
    await fetchInto(work);
    return 'connect';
  });
  return {
    classPath: `${join(folder, 'libs', '*')}:${join(folder, 'classes')}`,
    plugins: join(folder, 'plugins'),
  };
}

async function fetchInto(work: string): Promise<void> {
  await writeFile(join(work, 'pom.xml'), pom);
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0';
  const options = ['-DincludeScope=runtime', '-DoutputDirectory=connect/libs'];
  await run('mvn', ['-B', '-ntp', '-q', `${plugin}:unpack`, `${plugin}:copy-dependencies`, ...options], { cwd: work });
  const source = join(work, 'SchemaRegistryClient.java');
  await writeFile(source, missingClass);
  await run('javac', ['-d', join(work, 'connect', 'classes'), source]);
}

/** The connector names this class, which no public registry has, and uses it only with Avro. */
const missingClass = `package io.confluent.kafka.schemaregistry.client;

public interface SchemaRegistryClient {}
`;

const dependency = (group: string, artifact: string, version: string): string => `
    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${version}</version>
    </dependency>`;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>millrace</groupId>
  <artifactId>connect-for-tests</artifactId>
  <version>1</version>
  <dependencies>${dependency('org.apache.kafka', 'connect-runtime', connectVersion)}${dependency(
    'org.apache.kafka',
    'connect-json',
    connectVersion,
  )}${dependency('org.apache.kafka', 'connect-transforms', connectVersion)}${dependency(
    'org.apache.logging.log4j',
    'log4j-slf4j-impl',
    '2.25.3',
  )}
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-dependency-plugin</artifactId>
        <configuration>
          <artifactItems>
            <artifactItem>
              <groupId>io.github.clescot</groupId>
              <artifactId>kafka-connect-http-connectors</artifactId>
              <version>${pluginVersion}</version>
              <type>zip</type>
              <outputDirectory>connect/plugins</outputDirectory>
            </artifactItem>
          </artifactItems>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;
