import type { Log } from '#kit/log'
import type { LeaseStore } from './lease-store.ts'

/** One control plane of several does the rounds of all. */
const leaseName = 'rounds'

export type LeaseTimes = {
  /** For how long others believe in one that says nothing. */
  seconds: number
  /** Between two signs. */
  everySeconds: number
}
const usual: LeaseTimes = { seconds: 30, everySeconds: 10 }

type Deps = {
  store: LeaseStore
  /** Names this program among those that share the database; one that is started again has the same. */
  executor: string
  log: Log
  times?: LeaseTimes | undefined
}

/**
 * Whether this program does what only one may do at a time. It believes so for less long than the others do: counted from before it
 * asked, and a tenth less, by a clock that goes on while the program is stopped. Work that was begun in that time may outlast it,
 * which is why all of it can be done twice.
 */
export function createLeadership({ store, executor, log, times = usual }: Deps) {
  const { seconds, everySeconds } = times
  let until = 0
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> = Promise.resolve()
  let closed = false
  const leads = () => performance.now() < until

  async function ask(): Promise<void> {
    const began = performance.now()
    const led = leads()
    try {
      await store.present(executor, seconds)
      const isHeld = await store.hold(leaseName, executor, seconds)
      until = isHeld && !closed ? began + seconds * 900 : 0
    } catch (error) {
      // What was promised before still holds until its end.
      log.warn({ err: error }, 'it is not known which control plane does the rounds')
    }
    if (leads() !== led) log.info({ executor, leads: leads() }, 'the rounds have changed hands')
  }
  function next(): void {
    asking = ask().then(() => {
      if (!closed) timer = setTimeout(next, everySeconds * 1000).unref()
    })
  }

  return {
    leads,
    /** Which of these programs are there. */
    alive: store.alive,
    /** Asks, and asks again and again until the end. */
    async begin(): Promise<void> {
      next()
      await asking
    },
    /** Lets another one begin at once. */
    async close(): Promise<void> {
      closed = true
      until = 0
      clearTimeout(timer)
      await asking
      await store
        .giveUp(executor)
        .catch((error: unknown) => log.warn({ err: error }, 'the rounds could not be given up'))
    },
  }
}
export type Leadership = ReturnType<typeof createLeadership>
