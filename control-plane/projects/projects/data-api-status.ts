import type { ServiceFault } from '../../data-plane/service-fault.ts'

/** Seconds that the data API has to answer; whoever wants to see the project waits as long. */
const longest = 1

/**
 * Whether the data API of a project answers, asked of it now: a database can be well while nobody serves it. Several who ask
 * at once are told by one question.
 */
export function createDataApiStatus(faultOf: ServiceFault) {
  const asked = new Map<string, Promise<boolean>>()

  return (ref: string): Promise<boolean> => {
    const running = asked.get(ref)
    if (running) return running
    const started = faultOf(ref, 'rest', longest)
      .then((fault) => fault === undefined)
      .finally(() => asked.delete(ref))
    asked.set(ref, started)
    return started
  }
}
export type DataApiStatus = ReturnType<typeof createDataApiStatus>
