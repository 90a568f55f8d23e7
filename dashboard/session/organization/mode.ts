import { useQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { platform } from '#contract/operations/platform'
import type { PlatformEnvironment } from '#contract/projects/cloud-providers'
import type { CustomContent } from '#contract/operations/custom-content'
import type { HideableFeature } from '#contract/features'
import { ourContent } from '#contract/operations/our-content'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { q, queryClient } from '../../api/client.ts'

/** What the server is; it does not change while a page is open. */
export const statusQuery = q(platform.status, {}, Infinity)

/** The operator's own words and links; ours until they are known. */
export function useContent(): CustomContent {
  const { data } = useQuery(statusQuery)
  return data?.content ?? ourContent
}

/** What the installation is for its operator. */
export function useEnvironment(): PlatformEnvironment {
  const { data } = useQuery(statusQuery)
  return data?.environment ?? 'production'
}

/** The same where no component may ask: the screen of a crash stands outside of everything that could have crashed. */
export const knownEnvironment = (): PlatformEnvironment =>
  queryClient.getQueryData(statusQuery.queryKey)?.environment ?? 'production'

/** Whether this is the dashboard of one existing database (requirements §1). */
export function useSelfHosted(): boolean {
  const { data } = useQuery(statusQuery)
  return data?.mode === 'self-hosted'
}

/** `off('dashboard_auth:sign_up')` tells what the operator hides on the pages before the sign-in. */
export function useHiddenAtSignIn(): (feature: HideableFeature) => boolean {
  const { data } = useQuery(statusQuery)
  return (feature) => data?.disabled_features.includes(feature) ?? false
}

/** Pages that only the hosted platform has. */
const platformPages =
  /^\/(?:organizations|new(?:\/[^/]*)?|org\/[^/]+(?:\/(?:team|billing|security|sso|apps|documents|trash))?)\/?$/

/** Leads from such a page to the one project of self-hosted mode. */
export async function leavePlatformPages(pathname: string): Promise<void> {
  if (!platformPages.test(pathname)) return
  const { mode } = await queryClient.ensureQueryData(statusQuery)
  if (mode === 'self-hosted') {
    throw redirect({ to: '/project/$ref', params: { ref: selfHostedWorld.projectRef } })
  }
}
