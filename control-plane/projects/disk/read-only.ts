import type { Provider } from '#compute/provider'
import type { DiskRow, DiskStore } from './store.ts'

/** The quarter of an hour that somebody asked for goes on. */
export const isOpen = ({ writable_until }: DiskRow, now: Date): boolean =>
  writable_until !== null && writable_until > now

/** A full database is read only, but for the quarter of an hour that somebody asked for. */
export const isHeld = (row: DiskRow, now: Date): boolean =>
  row.state === 'full' && !isOpen(row, now)

/** One beyond a quota has that quarter of an hour too; one that owes has not. */
const isRestricted = (row: DiskRow, now: Date): boolean =>
  row.restricted && !(row.may_delete && isOpen(row, now))

/**
 * Whether a project's server takes writes: not while its organization is restricted, nor while its disk is full. Whoever changes
 * one of the two writes it down first and then settles.
 */
export function createReadOnly(
  store: DiskStore,
  compute: Pick<Provider, 'setReadOnly'>,
  now: () => Date,
) {
  const desired = async (ref: string): Promise<boolean> => {
    const row = await store.find(ref)
    return row !== undefined && (isRestricted(row, now()) || isHeld(row, now()))
  }
  return {
    desired,

    /** Tells the server what holds now, until nobody has changed it meanwhile. It may be repeated at any time. */
    async settle(ref: string): Promise<void> {
      let notified: boolean
      do {
        notified = await desired(ref)
        await compute.setReadOnly(ref, notified)
      } while ((await desired(ref)) !== notified)
    },
  }
}
export type ReadOnly = ReturnType<typeof createReadOnly>
