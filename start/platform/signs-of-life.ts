import { heartbeatSeconds, type PlaneReport } from '#contract/operations/planes'
import type { Log } from '#kit/log'
import { version } from '../program.ts'

type Options = {
  send: (report: PlaneReport) => Promise<void>
  /** This machine and the port: `host:8001`. */
  place: string
  log: Log
  everyMs?: number
  /** How long a control plane that began at the same time may take to answer, on a first start with all it makes. */
  startMs?: number
}

/** Says every few seconds that this data plane is there, and at the end that it goes. */
export function startSigns(options: Options) {
  const { send, place, log, everyMs = heartbeatSeconds * 1000, startMs = 60_000 } = options
  const since = performance.now()
  const began = new Date().toISOString()
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  let ended = false
  let failures = 0
  let wasHeard = false
  const isStarting = () => !wasHeard && performance.now() - since < startMs

  async function say(ends: boolean): Promise<void> {
    try {
      await send({
        place,
        version: version(),
        started_at: began,
        memory_bytes: process.memoryUsage().rss,
        ends,
      })
      failures = 0
      wasHeard = true
    } catch (error) {
      failures += 1
      // Where both start at once, this one may be the first, and one that is restarted is back in a moment.
      if (failures > 1 && !isStarting())
        log.warn({ err: error }, 'could not report to the control plane')
    }
  }
  function go(): void {
    sending = say(false).then(() => {
      if (!ended) timer = setTimeout(go, failures === 1 || isStarting() ? againMs : everyMs)
    })
  }
  go()

  return {
    /** Does not wait for a control plane that has gone already. */
    async end(): Promise<void> {
      ended = true
      clearTimeout(timer)
      await Promise.race([sending.then(() => say(true)), patience()])
    },
  }
}

/** After the first failure in a row, and while the control plane may be starting. */
const againMs = 1000
const patienceMs = 1000
const patience = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs).unref()
  })
