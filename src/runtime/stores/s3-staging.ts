import type { S3ObjectStoreOptions } from '../../adapters/s3/config.ts';
import type { S3Staging } from '../../config/topology/s3-staging.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { StoreRow } from './store-row.ts';

export const s3Staging: StoreRow<S3Staging, ObjectStore> = {
  async open(staging) {
    const { openS3ObjectStore } = await import('../../adapters/s3/object-store.ts');
    return openS3ObjectStore(optionsOf(staging));
  },
  async check(staging, { now, signal }) {
    const { checkBucket } = await import('../../adapters/s3/check-bucket.ts');
    return checkBucket(optionsOf(staging), { now, signal });
  },
  isRefused: () => false,
};

function optionsOf({ bucket, prefix, region, compression, ...rest }: S3Staging): S3ObjectStoreOptions {
  const { endpoint, pathStyle, caFile, credentials } = rest;
  return {
    bucket,
    keyPrefix: prefix,
    region,
    compression,
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}
