import { setTimeout as delay } from 'node:timers/promises'
import type { WantedHostname } from '#contract/internal-api'
import type { Log } from '#kit/log'

/** Where it learns which names projects have of their own. */
export type HostnameSource = {
  hostnames(): Promise<WantedHostname[]>
  /** Hears of every moment at which that may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
}

/** A plan that ends takes its names with it, without a change of a project. */
const lookEveryMs = 60_000
const firstLookMs = 2000

/**
 * Custom hostnames and vanity subdomains, by which a request tells its project. They are known ahead, because the address of a request
 * is rewritten before anything can be asked; while nobody can tell, what was known holds.
 */
export function createHostnames(
  source: HostnameSource | undefined,
  log: Log,
  /** Hears of all names at each look. */
  onLook: (hostnames: readonly WantedHostname[]) => void = () => undefined,
) {
  let refs = new Map<string, string>()
  let running: Promise<void> | undefined
  let isOutOfDate = false
  let closed = false

  async function look(): Promise<void> {
    while (source && isOutOfDate && !closed) {
      isOutOfDate = false
      const found = await source.hostnames()
      refs = new Map(
        found.flatMap(({ hostname, ref }) => (ref === null ? [] : [[hostname, ref] as const])),
      )
      // Whoever had a name before it became the installation's.
      for (const { hostname, ref } of found) if (ref === null) refs.delete(hostname)
      onLook(found)
    }
  }
  /** One look at a time; a change during one is followed by another. */
  function followUp(): void {
    isOutOfDate = true
    running ??= look()
      // Programs start in any order; the next change, or the next minute, looks again.
      .catch((error: unknown) => log.debug({ err: error }, 'Names of projects are not known'))
      .finally(() => {
        running = undefined
        if (isOutOfDate && !closed) followUp()
      })
  }
  const stop = source?.onAnyChange(followUp)
  const timer = source && setInterval(followUp, lookEveryMs)
  timer?.unref()
  if (source) followUp()

  return {
    /** The project that has this name, in lower case; undefined: none. */
    refOf: (hostname: string): string | undefined => refs.get(hostname),
    /** After the first look, or once it takes too long: who serves before knows no names. */
    async ready(): Promise<void> {
      const enough = new AbortController()
      const waited = delay(firstLookMs, undefined, { signal: enough.signal, ref: false })
      // An aborted wait is the end of it.
      await Promise.race([running, waited.catch(() => undefined)])
      enough.abort()
    },
    close(): void {
      closed = true
      stop?.()
      clearInterval(timer)
    },
  }
}
