import { readConfig } from '#kit/config'
import { backendConformance } from './backend.conformance.ts'
import { createS3Backend } from './s3-backend.ts'
import { startS3Store } from './test-s3-store.ts'

const store = await startS3Store()
backendConformance('an S3 store', () => store.backend, store.close)

// A server of one's own: PLINTH_TEST_S3=1 and the settings of docs/operating.md, with a bucket that may be written to.
const real = process.env['PLINTH_TEST_S3'] ? readConfig(process.env).storageBucket : undefined
if (real) {
  const backend = createS3Backend(real)
  backendConformance(`the bucket ${real.bucket}`, () => backend, backend.close)
}
