import { useMatches, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serviceIds } from '#contract/people/consent'
import { useContent } from '../session/organization/mode.ts'
import { useNameOfPage } from '../session/window-name.ts'
import { useConsent } from '../session/telemetry/consent.ts'
import {
  identifyGroups,
  resetGroups,
  setTelemetryGroups,
  trackPage,
  trackPageLeave,
} from '../session/telemetry/telemetry.ts'
import { useWhere } from '../session/project/where.ts'

/**
 * Names the window after what the page is about, the page (its route's `staticData.title`) and the place it is in, what tells
 * it from other windows first: "hello · Logs · storefront · Plinth".
 */
export function useTitle(place?: string) {
  const page = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const { app_title: app } = useContent()
  const about = useNameOfPage()
  const title = [about, page, place, app].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}

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
