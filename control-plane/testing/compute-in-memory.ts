import type { DiskUse, Provider, ServerLoad } from '#compute/provider'

/**
 * Servers that are only told of: each is whatever it was last told to be, and one that nobody has told of runs. For tests that let weeks pass, in
 * which real servers would do nothing but wait.
 */
export function computeInMemory(measures: {
  disk: (ref: string) => DiskUse
  load: (ref: string) => ServerLoad
}) {
  const states = new Map<string, 'stopped' | 'absent'>()
  const asked: string[] = []
  const addressOf = () => ({ socketDir: '/nowhere', port: 5432 })
  const runs = (ref: string) => !states.has(ref)
  const start = async (ref: string) => {
    states.delete(ref)
    return addressOf()
  }
  const provider: Provider = {
    prepare: async () => undefined,
    create: ({ ref }) => start(ref),
    start,
    async stop(ref) {
      states.set(ref, 'stopped')
    },
    restart: start,
    async destroy(ref) {
      states.set(ref, 'absent')
    },
    inspect: async (ref) =>
      runs(ref)
        ? { state: 'running', address: addressOf() }
        : { state: states.get(ref) ?? 'absent' },
    probe: async (ref) => runs(ref),
    list: async () => asked.filter((ref) => states.get(ref) !== 'absent'),
    setReadOnly: async () => undefined,
    diskUse: async (ref) => (runs(ref) ? measures.disk(ref) : undefined),
    load: async (ref) => (runs(ref) ? measures.load(ref) : undefined),
    close: async () => undefined,
  }
  return { provider, add: (ref: string) => void asked.push(ref) }
}
