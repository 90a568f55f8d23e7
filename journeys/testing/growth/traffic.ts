import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Project } from '../client.ts'

/** A project as its customers' programs reach it: the public client, without what a page would keep. */
export const publicClient = (
  { endpoint }: Pick<Project, 'endpoint'>,
  key: string,
): SupabaseClient =>
  createClient(endpoint, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own, and the types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  })

/** So long a customer looks at what came before they ask again. */
const pauseMs = 40

export type Traffic = ReturnType<typeof startTraffic>

/**
 * Customers who write a row and read it back, one after the other, until they are told to stop. `write` and `read` return why
 * they failed. What fails while a restart is announced is counted apart.
 */
export function startTraffic(
  customers: readonly {
    write: (id: number) => Promise<string | undefined>
    read: (id: number) => Promise<string | undefined>
  }[],
) {
  let goesOn = true
  let announced = 0
  let last = 0
  const acknowledged: number[] = []
  const failures: string[] = []
  const during = { requests: 0, failures: 0 }
  let requests = 0

  async function ask(what: string, request: () => Promise<string | undefined>): Promise<boolean> {
    const [wasAnnounced, began] = [announced > 0, Date.now()]
    const failure = await request().catch(String)
    const isAnnounced = wasAnnounced || announced > 0
    requests += 1
    if (isAnnounced) during.requests += 1
    if (failure === undefined) return true
    if (isAnnounced) during.failures += 1
    else {
      const at = new Date(began).toISOString()
      failures.push(`${what}, asked at ${at}, failed after ${Date.now() - began} ms: ${failure}`)
    }
    return false
  }
  const customersGoOn = customers.map(async ({ write, read }) => {
    while (goesOn) {
      const id = (last += 1)
      if (await ask(`write ${id}`, () => write(id))) {
        acknowledged.push(id)
        await ask(`read ${id}`, () => read(id))
      }
      await delay(pauseMs)
    }
  })

  return {
    /** What was acknowledged, in the order in which it was. */
    acknowledged,
    /** Whatever failed while nothing was announced. */
    failures,
    /** While restarts were announced. */
    during,
    requests: () => requests,
    /** Whatever fails meanwhile was announced. */
    async announce<T>(restart: () => Promise<T>): Promise<T> {
      announced += 1
      try {
        return await restart()
      } finally {
        announced -= 1
      }
    },
    async stop(): Promise<void> {
      goesOn = false
      await Promise.all(customersGoOn)
    },
  }
}
