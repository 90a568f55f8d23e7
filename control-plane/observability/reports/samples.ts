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
type Moved = { read: number; written: number }

const nothing: Omit<Sample, 'ref'> = {
  cpu: null,
  memory_bytes: null,
  connections: null,
  start: null,
  read_bytes: null,
  written_bytes: null,
}
/** Between two looks so far apart nobody knows when the processor was used. */
const longestMs = 5 * 60_000

/** Cores that were used between two looks; null: the server was started again meanwhile, or there was no look before. */
export function coresBetween(before: Seen | undefined, { cpuSeconds, at }: Seen): number | null {
  if (!before || at <= before.at || at - before.at > longestMs || cpuSeconds < before.cpuSeconds)
    return null
  return (cpuSeconds - before.cpuSeconds) / ((at - before.at) / 1000)
}

/** Bytes between two looks; null where it is not known. A server that was started again has counted anew. */
export function movedBetween(
  before: (Seen & { disk?: Moved | undefined }) | undefined,
  { disk, ...now }: Seen & { disk?: Moved | undefined },
): { read_bytes: number | null; written_bytes: number | null } {
  const [from, isOne] = [before?.disk, coresBetween(before, now) !== null]
  if (!from || !disk || !isOne || disk.read < from.read || disk.written < from.written)
    return { read_bytes: null, written_bytes: null }
  return { read_bytes: disk.read - from.read, written_bytes: disk.written - from.written }
}

/** Once a minute what each running server uses of its machine: a look at its processes, no query, and one statement for all of them. */
export function createSampler({ store, compute, each, now }: Deps) {
  const seen = new Map<string, Seen & { disk: Moved | undefined }>()

  function sampleOf(ref: string, load: ServerLoad): Sample {
    const { cpuSeconds, memoryBytes, connections, start = null, disk } = load
    const look = { cpuSeconds, at: now().getTime(), disk }
    const before = seen.get(ref)
    seen.set(ref, look)
    return {
      ref,
      cpu: coresBetween(before, look),
      memory_bytes: memoryBytes,
      connections,
      start,
      ...movedBetween(before, look),
    }
  }

  return async (): Promise<void> => {
    const refs = await store.running()
    const running = new Set(refs)
    for (const ref of seen.keys()) if (!running.has(ref)) seen.delete(ref)
    const samples: Sample[] = []
    await each('load of projects', refs, String, async (ref) => {
      const load = await compute.load?.(ref)
      samples.push(load ? sampleOf(ref, load) : { ref, ...nothing })
    })
    await store.add(samples, now())
  }
}
