import type { GoTrueClient } from '@supabase/auth-js'
import { serviceIds } from '#contract/people/consent'
import { loadConsent, useConsent } from './consent.ts'
import { identify, resetTelemetry } from './telemetry.ts'
import { forgetReportingId, keepReportingId } from '../identity/user-hash.ts'

/**
 * Keeps the answer about data in step with who is signed in, and tells telemetry who that is, once they agreed. The
 * question appears only now: the page is there before anything is asked.
 */
export function followConsent(auth: GoTrueClient): void {
  let person: string | undefined
  let known = false

  auth.onAuthStateChange((_, session) => {
    const next = session?.user.id
    if (known && next === person) return
    if (known && next === undefined) {
      resetTelemetry()
      forgetReportingId()
      // Whoever comes next answers for themself.
      useConsent.setState({ decisions: {} })
    }
    known = true
    person = next
    // The auth client waits for its listeners, and loadConsent for the auth client.
    setTimeout(() => {
      void loadConsent(next !== undefined)
      if (next !== undefined) void keepReportingId(next, () => person === next)
    })
  })
  useConsent.subscribe(({ decisions }, before) => {
    const agreed = decisions[serviceIds.productUse] === true
    if (agreed && !before.decisions[serviceIds.productUse] && person) identify(person)
  })
}
