import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const credentials = { PLINTH_S3_ACCESS_KEY_ID: 'id', PLINTH_S3_SECRET_ACCESS_KEY: 'secret' }

test.each<[Record<string, string>, RegExp]>([
  [{ PLINTH_S3_BUCKET: 'No Bucket' }, /^PLINTH_S3_BUCKET: must be the name/],
  [{ PLINTH_S3_BUCKET: 'b' }, /^PLINTH_S3_BUCKET: must be the name/],
  [
    { PLINTH_S3_BUCKET: 'bytes', PLINTH_S3_ENDPOINT: 'ftp://x' },
    /^PLINTH_S3_ENDPOINT: must start with http/,
  ],
  [
    { PLINTH_S3_BUCKET: 'bytes', PLINTH_S3_REGION: 'a b' },
    /^PLINTH_S3_REGION: must be the name of a region$/,
  ],
  [{ PLINTH_S3_BUCKET: 'bytes', PLINTH_S3_PREFIX: '/a/' }, /^PLINTH_S3_PREFIX: must be names/],
  [
    { PLINTH_S3_BUCKET: 'bytes', PLINTH_S3_ACCESS_KEY_ID: 'id' },
    /^PLINTH_S3_SECRET_ACCESS_KEY: must be set together with PLINTH_S3_ACCESS_KEY_ID$/,
  ],
  [
    { PLINTH_S3_BUCKET: 'bytes', PLINTH_S3_SECRET_ACCESS_KEY: 'secret' },
    /^PLINTH_S3_ACCESS_KEY_ID: must be set together with/,
  ],
  [credentials, /^PLINTH_S3_BUCKET: must be set together with PLINTH_S3_ACCESS_KEY_ID$/],
  [
    { PLINTH_S3_REGION: 'eu-central-1' },
    /^PLINTH_S3_BUCKET: must be set together with PLINTH_S3_REGION$/,
  ],
  [{ PLINTH_S3_BUCKET: 'bytes', PLINTH_STORAGE: '/data' }, /^PLINTH_STORAGE: has no meaning/],
  [{ PLINTH_LARGEST_UPLOAD: 'much' }, /^PLINTH_LARGEST_UPLOAD: /],
])('%o is refused with one line', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(line)
})

test('bytes lie in a folder unless a bucket is named', () => {
  expect(readConfig({ PLINTH_HOME: '/home' })).toMatchObject({
    storage: '/home/storage',
    storageBucket: undefined,
  })
  expect(readConfig({ PLINTH_S3_BUCKET: 'bytes' }).storageBucket).toEqual({
    bucket: 'bytes',
    region: 'us-east-1',
    endpoint: undefined,
    prefix: undefined,
    credentials: undefined,
  })
  const all = {
    ...credentials,
    PLINTH_S3_BUCKET: 'bytes',
    PLINTH_S3_ENDPOINT: 'https://s3.example.com',
    PLINTH_S3_REGION: 'eu-central-1',
    PLINTH_S3_PREFIX: 'a/b',
  }
  expect(readConfig(all).storageBucket).toEqual({
    bucket: 'bytes',
    region: 'eu-central-1',
    endpoint: 'https://s3.example.com',
    prefix: 'a/b',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  })
})
