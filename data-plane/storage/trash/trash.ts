import { rowsOf } from '../access.ts'
import { knownVersions } from '../objects-store.ts'
import {
  deleteExpired,
  deleteTrash,
  giveUpTrash,
  listTrash,
  restoreTrash,
  type Outcome,
  type Trashed,
  type Requested,
} from './trash-store.ts'
import { forget, type Storage } from '../transfer/uploads.ts'

type Kept = Pick<Storage, 'access' | 'trashDays'>
type Asked = Omit<Parameters<typeof listTrash>[0], 'days'>

const operation = 'storage.trash'
/** Rows of one statement, so that nobody waits long for its locks. */
const atOnce = 500

export async function trashOf({ access, trashDays }: Kept, asked: Asked): Promise<Trashed[]> {
  const statements = [listTrash({ ...asked, days: trashDays })]
  const [rows] = await access.asOwner({ operation, statements })
  return rowsOf<Trashed>(rows)
}

/** Those that were there, and whether they are back. */
export async function restore(
  { access, trashDays }: Kept,
  requested: readonly Requested[],
): Promise<Outcome[]> {
  const [rows] = await access.asOwner({
    operation: 'storage.object.restore',
    statements: [restoreTrash(requested, trashDays)],
  })
  return rowsOf<Outcome>(rows)
}

/** For ever: rows first, then bytes. What a crash leaves between the two is bytes without a row, which the scrubber tells of. */
export async function purge(storage: Storage, ids: readonly string[]): Promise<number> {
  const statements = [deleteTrash(ids)]
  const [rows] = await storage.access.asOwner({ operation, statements })
  return forgetUnnamed(storage, rowsOf<string>(rows))
}

/** All that is over, part by part. */
export async function purgeExpired(storage: Storage): Promise<number> {
  for (let purged = 0; ;) {
    const statements = [deleteExpired(storage.trashDays, atOnce)]
    const [rows] = await storage.access.asOwner({ operation, statements })
    const count = await forgetUnnamed(storage, rowsOf<string>(rows))
    purged += count
    if (count < atOnce) return purged
  }
}

/** The answer does not wait for the bytes, of which there can be very many. */
export async function emptyTrash(storage: Storage, bucket: string | undefined): Promise<number> {
  const [rows] = await storage.access.asOwner({ operation, statements: [giveUpTrash(bucket)] })
  storage.purgeSoon()
  return rowsOf<number>(rows)[0] ?? 0
}

/** A row that was written by hand can name the bytes of another one. */
async function forgetUnnamed(storage: Storage, versions: readonly string[]): Promise<number> {
  if (versions.length === 0) return 0
  const statements = [knownVersions(versions)]
  const [rows] = await storage.access.asOwner({ operation, statements })
  const known = new Set(rowsOf<string>(rows))
  await forget(
    storage,
    versions.filter((version) => !known.has(version)),
  )
  return versions.length
}
