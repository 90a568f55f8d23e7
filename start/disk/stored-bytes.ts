import type { Backend } from '#data-plane/storage/backends/backend'
import { createFileBackend } from '#data-plane/storage/backends/file-backend'
import { createS3Backend } from '#data-plane/storage/backends/s3-backend'
import type { Config } from '#kit/config'

/** Where the bytes of all projects lie: in a bucket where one is configured, otherwise in a folder. */
export const storedBytes = ({ storage, storageBucket }: Config): Backend =>
  storageBucket ? createS3Backend(storageBucket) : createFileBackend(storage)
