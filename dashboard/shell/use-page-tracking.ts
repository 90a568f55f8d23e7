import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serviceIds } from '#contract/people/consent'
import { useConsent } from '../session/telemetry/consent.ts'
import {
  identifyGroups,
  resetGroups,
  setTelemetryGroups,
  trackPage,
  trackPageLeave,
} from '../session/telemetry/telemetry.ts'
import { useWhere } from '../session/project/where.ts'

/** Counts the pages that are visited and left, with the project and organization they are about (consent permitting). */
export function usePageTracking() {
  const { slug: organization, ref: project } = useWhere()
  const { pathname } = useLocation()
  const agreed = useConsent(({ decisions }) => decisions[serviceIds.productUse] === true)
  // In this order: an event names the groups that stand when it is sent.
  useEffect(() => {
    setTelemetryGroups({ organization, project })
    if (!agreed || (!organization && !project)) return undefined
    identifyGroups()
    return () => {
      setTelemetryGroups({})
      resetGroups()
    }
  }, [organization, project, agreed])
  // The page that is open when they agree counts, too.
  useEffect(() => {
    if (!agreed) return undefined
    trackPage()
    return trackPageLeave
  }, [pathname, agreed])
  useEffect(() => {
    addEventListener('pagehide', trackPageLeave)
    return () => removeEventListener('pagehide', trackPageLeave)
  }, [])
}
