/** Milliseconds for which a program that could not be reached is not asked. */
const leftOutMs = 500

/** The ports of programs of one kind, of which each is as good as the others. */
export function createBackends(
  ports: readonly number[],
  now: () => number = () => performance.now(),
) {
  const out = new Map<number, number>()
  let turn = 0
  return {
    count: ports.length,
    /** One after the other; one that is left out only while all are. */
    next(): number {
      for (let i = 0; i < ports.length; i += 1) {
        const port = ports[(turn += 1) % ports.length]
        if (port !== undefined && (out.get(port) ?? 0) <= now()) return port
      }
      const port = ports[turn % ports.length]
      if (port === undefined) throw new Error('There is no program to ask')
      return port
    },
    leaveOut(port: number): void {
      out.set(port, Math.max(out.get(port) ?? 0, now() + leftOutMs))
    },
    /** Whether a program is there to be asked, as it has said itself. */
    serves(port: number, does: boolean): void {
      out.set(port, does ? 0 : Infinity)
    },
  }
}
export type Backends = ReturnType<typeof createBackends>

/** Nobody listens there, or the program has gone. */
export const isNoAnswer = (error: Error): boolean =>
  'code' in error && ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(String(error.code))
