import type { EachSubject } from '#kit/subjects'
import type { Keeping } from './compute.ts'
import type { Due } from './due.ts'
import type { Making } from './making.ts'
import type { Recovery } from './recovery.ts'
import type { BackupRoundsStore } from './rounds-store.ts'
import type { BackupStore } from './store.ts'

export type RoundsDeps = {
  store: BackupStore
  rounds: BackupRoundsStore
  keeping: Keeping
  fail: Making['fail']
  recovery: Pick<Recovery, 'round'>
  due: Pick<Due, 'make'>
  /** Is told which files no row knows, each time all of them. */
  quarantine: (found: { ref: string; name: string; state: string }[]) => Promise<void>
  each: EachSubject
  now: () => Date
}

/** Makes what is due, and removes what has expired. Each round can be repeated. */
export function createRounds({ store, rounds, keeping, fail, due, ...deps }: RoundsDeps) {
  const { now, each, quarantine } = deps
  let begun = false

  /** No backup that is made from now on may take the name of one that is there, though its row is lost. */
  async function passAll(): Promise<void> {
    const pass = async (ref: string) => rounds.passIds(await keeping.list(ref))
    await each('names of backups', await keeping.refs(), (ref) => ref, pass)
    begun = true
  }

  return {
    async backups(): Promise<void> {
      if (!begun) await passAll()
      await each(
        'backups that were broken off',
        await rounds.abandoned(),
        (id) => id,
        (id) => fail(id, 'It was broken off'),
      )
      await rounds.endStaleRestores()
      await deps.recovery.round()
      await rounds.prolong()
      await rounds.giveUpExpired(now())
      await each(
        'backups that are given up',
        await rounds.givenUp(),
        ({ id }) => id,
        async ({ id, ref }) => {
          await keeping.remove({ ref, id })
          await store.forget(id)
        },
      )
      await due.make()
    },

    /** Files that no row knows may be newer than the platform database: they are kept and told of. */
    async files(): Promise<void> {
      const strangers: { ref: string; name: string; state: string }[] = []
      const look = async (ref: string) => {
        const listed = await keeping.list(ref)
        if (listed.length === 0) return
        // Read after the files: one whose row came meanwhile is known.
        const ids = new Set(await rounds.idsOf(ref))
        const unknown = listed.filter((id) => !ids.has(id))
        strangers.push(...unknown.map((name) => ({ ref, name, state: '' })))
      }
      await each('files of backups', await keeping.refs(), (ref) => ref, look)
      await quarantine(strangers)
    },
  }
}
