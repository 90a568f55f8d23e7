import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#kit/config'
import { createS3Backend } from '../../storage/backends/s3-backend.ts'

/** As far as it is used here; the package says nothing of its types. */
type S3rver = new (options: object) => {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}
const S3rver = createRequire(import.meta.url)('s3rver') as S3rver

/** A backend over another server of the S3 protocol, which runs in this process. */
export async function startS3Store() {
  const directory = await mkdtemp(join(tmpdir(), 'plinth-s3-'))
  const configureBuckets = [{ name: 'plinth' }]
  const server = new S3rver({ port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  const options = {
    bucket: 'plinth',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    prefix: 'a/b',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  }
  const backend = createS3Backend(options)
  return {
    backend,
    /** By which others come to it. */
    options,
    /** The folder that it keeps everything in. */
    directory,
    async close() {
      await backend.close()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}

export type S3Store = Pick<Awaited<ReturnType<typeof startS3Store>>, 'backend' | 'close'>

/** A server of one's own: PLINTH_TEST_S3=1 and the settings of docs/operating.md, with a bucket that may be written to. */
const real = process.env['PLINTH_TEST_S3'] ? readConfig(process.env).storageBucket : undefined

/** The stores that tests run against, by name: always the one of this process, and a real one where there is one. */
export const s3Stores: readonly [string, () => Promise<S3Store>][] = [
  ['an S3 store', startS3Store],
  ...(real ? [[`the bucket ${real.bucket}`, openReal] as [string, () => Promise<S3Store>]] : []),
]

function openReal(): Promise<S3Store> {
  if (!real) throw new Error('No store is named')
  const backend = createS3Backend(real)
  return Promise.resolve({ backend, close: () => backend.close() })
}
