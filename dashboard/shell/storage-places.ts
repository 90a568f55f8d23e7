import { area } from './area.ts'
import { withLogs } from './log-places.ts'

/** The new interface has an address of its own (requirements §1). */
export const storagePages = (ref: string, newInterface: boolean) => [
  withLogs(
    area(ref, undefined, [
      newInterface ? ['Files', 'storage/files'] : ['Buckets', 'storage/buckets'],
      ['Policies', 'storage/policies'],
      ['Trash', 'storage/trash'],
      ['Settings', 'storage/settings'],
      ['S3', 'storage/s3'],
    ]),
    ref,
    'storage_logs',
  ),
]
