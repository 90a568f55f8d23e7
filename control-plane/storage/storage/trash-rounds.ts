import type { Log } from '#kit/log'
import type { Rounds } from './rounds.ts'
import type { StorageStore } from './store.ts'

type Deps = {
  store: Pick<StorageStore, 'runningAfter'>
  purge: Rounds['purge']
  now?: (() => Date) | undefined
  log: Log
}

/** Of one round, which is a minute apart from the next, and of these at a time. */
const perRound = 20
const width = 4
const day = 24 * 60 * 60 * 1000
/** After the start of this process, whose projects may be starting themselves. */
const patience = 10 * 60 * 1000

/**
 * Has what is over in the trash of running projects removed, of each once a day: their own storage service does it while
 * somebody uses it. They are gone through in turn, a few a minute. One that does not answer is passed by until the next day.
 */
export function createTrashRounds({ store, purge, now = () => new Date(), log }: Deps) {
  let due = now().getTime() + patience
  let after: string | undefined

  return async (): Promise<void> => {
    const time = now().getTime()
    if (after === undefined && time < due) return
    const projects = await store.runningAfter(after ?? '0', perRound)
    if (after === undefined) due = time + day
    for (let start = 0; start < projects.length; start += width) {
      const part = projects.slice(start, start + width)
      const results = await Promise.allSettled(part.map(({ ref }) => purge(ref)))
      for (const [at, result] of results.entries())
        if (result.status === 'rejected')
          log.info({ err: result.reason, ref: part[at]?.ref }, 'a trash was not looked after')
    }
    after = projects.length < perRound ? undefined : projects.at(-1)?.id
  }
}
