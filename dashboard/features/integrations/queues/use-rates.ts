import { useState } from 'react'
import type { Queue } from '#contract/integrations/queues'
import { perMinute, withSample, type Samples } from './rates.ts'

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
