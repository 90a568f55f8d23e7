import { rateCounts as api } from '#contract/operations/rate-counts'
import type { SharedCounts } from '#data-plane/auth/sign-in/rate-limits'
import { rateCountStore } from '#control-plane/operations/rate-counts/store'
import type { Db } from '#control-plane/platform-database/database'

/** Milliseconds that somebody who signs in waits for a control plane; then this program counts alone. */
const patienceMs = 2000

/** Limits that data planes count together, in the platform's database by way of the control plane. */
export function countsAtControlPlane(url: string, token: string): SharedCounts {
  async function send(body: object): Promise<number | undefined> {
    const response = await fetch(`${url}/internal/rate-counts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!response.ok) throw new Error(`The control plane answered ${response.status} for a limit`)
    return api.count.returns.parse(await response.json()).wait ?? undefined
  }
  return {
    count: (key, { points, seconds }) => send({ key, points, seconds }),
    async giveBack(key, { points, seconds }) {
      await send({ key, points, seconds, gives_back: true })
    },
  }
}

/** The same for the control planes themselves. */
export function countsIn(db: Db): SharedCounts {
  const store = rateCountStore(db)
  return {
    count: async (key, { points, seconds }) =>
      (await store.count({ key, points, seconds })) ?? undefined,
    giveBack: (key) => store.giveBack(key),
  }
}
