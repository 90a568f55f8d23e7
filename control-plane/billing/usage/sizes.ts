import type { EachSubject } from '#kit/subjects'
import { wholeHour } from './reads-store.ts'
import type { SizeStore } from './sizes-store.ts'

type Deps = {
  store: SizeStore
  /** Bytes of a project's objects, and of what lies in its trash. @throws when nobody can say */
  storedBytes: (ref: string) => Promise<number>
  each: EachSubject
  now: () => Date
}

/** What projects take, by the hour: the last measurement of an hour counts. */
export const createSizes = ({ store, storedBytes, each, now }: Deps) => ({
  /** Measures now what a project stores. @throws when nobody can say */
  measureStorage: async (ref: string): Promise<void> =>
    store.noteStorage(ref, wholeHour(now()), await storedBytes(ref)),

  async round(): Promise<void> {
    const hour = wholeHour(now())
    await store.noteDisks(hour)
    await store.keepStorage(hour)
    await each(
      'what projects store',
      await store.unasked(hour),
      (ref) => ref,
      async (ref) => store.noteStorage(ref, hour, await storedBytes(ref)),
    )
  },
})
