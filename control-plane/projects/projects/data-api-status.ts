import type { Log } from '#kit/log'

type Deps = { dataPlaneUrl: string; log: Log }

/** Milliseconds that the data API has to answer; whoever wants to see the project waits as long. */
const patience = 1000

/**
 * Whether the data API of a project answers, asked of it now: a database can be well while nobody serves it. Any answer but
 * a 5xx is one, also that of a door that wants a key. Several who ask at once are told by one question.
 */
export function createDataApiStatus({ dataPlaneUrl, log }: Deps) {
  const asked = new Map<string, Promise<boolean>>()

  async function ask(ref: string): Promise<boolean> {
    try {
      const response = await fetch(`${dataPlaneUrl}/${ref}/rest/v1/`, {
        signal: AbortSignal.timeout(patience),
      })
      await response.body?.cancel()
      return response.status < 500
    } catch (error) {
      log.info({ err: error, ref }, 'the data API does not answer')
      return false
    }
  }

  return (ref: string): Promise<boolean> => {
    const running = asked.get(ref)
    if (running) return running
    const started = ask(ref).finally(() => asked.delete(ref))
    asked.set(ref, started)
    return started
  }
}
export type DataApiStatus = ReturnType<typeof createDataApiStatus>
