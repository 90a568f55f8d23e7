import type { RoundState } from '#contract/operations/health'

export type Round = {
  seconds: number
  name: string
  run: () => Promise<unknown>
  /** About this program, or its machine: each does it. Any other is done by one program for all. */
  everywhere?: boolean
}
/** `run` answers whether it was this program's turn. */
export type WatchedRound = Omit<Round, 'run'> & { run: () => Promise<boolean> }

type State = {
  isTurn: () => boolean
  seconds: number
  began: Date | undefined
  durationMs: number | undefined
  running: boolean
  failures: number
  failingSince: Date | undefined
  failure: string | undefined
}

/**
 * What each round of this process did the last time, for whoever runs the installation. `leads`: this program does what one does
 * for all.
 */
export function createRoundBook(now: () => Date, leads: () => boolean = () => true) {
  const states = new Map<string, State>()

  function failed(state: State, error: unknown): void {
    state.failures += 1
    state.failingSince ??= now()
    state.failure = error instanceof Error ? error.message : String(error)
  }

  return {
    /** The same round, which is written down. What it throws goes on to whoever runs it. */
    watch({ seconds, name, run, everywhere = false }: Round): WatchedRound {
      const isTurn = () => everywhere || leads()
      const state: State = {
        isTurn,
        seconds,
        began: undefined,
        durationMs: undefined,
        running: false,
        failures: 0,
        failingSince: undefined,
        failure: undefined,
      }
      states.set(name, state)
      return {
        seconds,
        name,
        async run() {
          if (!isTurn()) return false
          const start = performance.now()
          Object.assign(state, { began: now(), running: true })
          try {
            await run()
            Object.assign(state, { failures: 0, failingSince: undefined, failure: undefined })
            return true
          } catch (error) {
            failed(state, error)
            throw error
          } finally {
            state.running = false
            state.durationMs = Math.round(performance.now() - start)
          }
        },
      }
    },

    /** Of those that are this program's. */
    states: (): RoundState[] =>
      [...states]
        .filter(([, { isTurn }]) => isTurn())
        .map(([name, state]) => ({
          name,
          seconds: state.seconds,
          began_at: state.began?.toISOString() ?? null,
          duration_ms: state.durationMs ?? null,
          running: state.running,
          failures: state.failures,
          failing_since: state.failingSince?.toISOString() ?? null,
          failure: state.failure ?? null,
        })),
  }
}
export type RoundBook = ReturnType<typeof createRoundBook>
