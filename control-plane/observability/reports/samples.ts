import type { Provider, ServerLoad } from '#compute/provider'
import type { EachSubject } from '#kit/subjects'
import type { Sample, SampleStore } from './samples-store.ts'

type Deps = {
  store: Pick<SampleStore, 'running' | 'add'>
  compute: Pick<Provider, 'load'>
  each: EachSubject
  now: () => Date
}
type Seen = { cpuSeconds: number; at: number }

/** Between two looks so far apart nobody knows when the processor was used. */
const longestMs = 5 * 60_000

/** Cores that were used between two looks; null: the server was started again meanwhile, or there was no look before. */
export function coresBetween(before: Seen | undefined, { cpuSeconds, at }: Seen): number | null {
  if (!before || at <= before.at || at - before.at > longestMs || cpuSeconds < before.cpuSeconds)
    return null
  return (cpuSeconds - before.cpuSeconds) / ((at - before.at) / 1000)
}

/** Once a minute what each running server uses of its machine: a look at its processes, no query, and one statement for all of them. */
export function createSampler({ store, compute, each, now }: Deps) {
  const seen = new Map<string, Seen>()

  function sampleOf(ref: string, { cpuSeconds, memoryBytes, connections }: ServerLoad): Sample {
    const look = { cpuSeconds, at: now().getTime() }
    const cpu = coresBetween(seen.get(ref), look)
    seen.set(ref, look)
    return { ref, cpu, memory_bytes: memoryBytes, connections }
  }

  return async (): Promise<void> => {
    const refs = await store.running()
    const running = new Set(refs)
    for (const ref of seen.keys()) if (!running.has(ref)) seen.delete(ref)
    const samples: Sample[] = []
    await each('load of projects', refs, String, async (ref) => {
      const load = await compute.load?.(ref)
      samples.push(
        load ? sampleOf(ref, load) : { ref, cpu: null, memory_bytes: null, connections: null },
      )
    })
    await store.add(samples, now())
  }
}
