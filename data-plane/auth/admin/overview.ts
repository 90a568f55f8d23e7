import type { authRecords } from '#contract/auth/auth-records'
import type { Output } from '#contract/endpoint'
import * as store from './overview-store.ts'
import { inTransaction } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import { limitTime } from './user-list-store.ts'

const timeoutMs = 20_000

/** What the tables of a project's auth service come to, over the last days. */
export async function overview(
  { pool }: AuthTenant,
  days: number,
): Promise<Output<typeof authRecords.overview>> {
  return inTransaction(pool, async (tx) => {
    await limitTime(tx, timeoutMs)
    const users = await store.amountOf(tx, 'users')
    const { providers, isEstimate } = await store.providerCounts(tx, users)
    return {
      users,
      anonymous: await store.amountOf(tx, 'anonymous'),
      banned: await store.bannedCount(tx),
      sessions: await store.amountOf(tx, 'sessions'),
      new_users: await store.newUsersPerDay(tx, days),
      sign_ins: await store.signInsPerDay(tx, days),
      messages: await store.messagesPerDay(tx, days),
      providers,
      providers_estimate: isEstimate,
    }
  })
}
