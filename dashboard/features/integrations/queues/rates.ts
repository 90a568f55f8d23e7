import { useState } from 'react'
import type { Queue } from '#contract/integrations/queues'

type Sample = { at: number; sent: number }
/** What a queue had been sent at several moments, oldest first, by its name. */
export type Samples = Readonly<Record<string, readonly Sample[]>>

/** Milliseconds that a rate looks back, and the least between two samples that say something. */
const longest = 5 * 60_000
const shortest = 8_000

/** Adds what a list of queues said at `at`, and lets go of what is too old. */
export function withSample(
  before: Samples,
  at: number,
  queues: readonly Pick<Queue, 'name' | 'sent'>[],
): Samples {
  return Object.fromEntries(
    queues.flatMap(({ name, sent }) => {
      if (sent === null) return []
      const known = (Object.hasOwn(before, name) ? (before[name] ?? []) : []).filter(
        (sample) =>
          at - sample.at <= longest &&
          sample.at < at &&
          // Numbers begin again when a queue was dropped and created.
          sample.sent <= Number(sent),
      )
      return [[name, [...known, { at, sent: Number(sent) }]]]
    }),
  )
}

/** Messages sent in a minute; undefined until there is something to compare. */
export function perMinute(samples: Samples, name: string): number | undefined {
  const known = Object.hasOwn(samples, name) ? (samples[name] ?? []) : []
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || last.at - first.at < shortest) return undefined
  return ((last.sent - first.sent) * 60_000) / (last.at - first.at)
}

type Known = { at: number; samples: Samples }

/** What was sent per minute, by the name of a queue, since the page was opened: nothing else remembers it. */
export function useRates(
  queues: readonly Pick<Queue, 'name' | 'sent'>[] | undefined,
  at: number,
): (name: string) => number | undefined {
  const [known, setKnown] = useState<Known>({ at: 0, samples: {} })
  // While rendering, as React asks for where a value follows from what came before it.
  if (queues && at !== known.at) setKnown({ at, samples: withSample(known.samples, at, queues) })
  return (name) => perMinute(known.samples, name)
}
