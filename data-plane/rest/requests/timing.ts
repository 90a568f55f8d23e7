const parts = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const
type Part = (typeof parts)[number]

export type Stopwatch = {
  /** What happened since the last call, or since the start, belonged to this part. */
  lap(part: Part): void
  /** All parts in milliseconds, as the header Server-Timing tells them (contract §10). */
  header(): string
}

/** Measures the parts of one request from now on. */
export function startStopwatch(): Stopwatch {
  const spent: Record<Part, number> = { jwt: 0, parse: 0, plan: 0, transaction: 0, response: 0 }
  let last = performance.now()
  return {
    lap(part) {
      const now = performance.now()
      spent[part] += now - last
      last = now
    },
    header: () => parts.map((part) => `${part};dur=${spent[part].toFixed(1)}`).join(', '),
  }
}
