import { queryOptions, useQuery } from '@tanstack/react-query'
import { platform as endpoints } from '#contract/operations/platform'
import { telemetry as telemetryApi } from '#contract/operations/telemetry'
import { call, q, queryClient } from '../../api/client.ts'
import { organizationsQuery } from '../organization/organizations.ts'
import { useWhere } from '../project/where.ts'
import { loadProject } from '../project/project.ts'
import { usePreviewFlags } from './preview-flags.ts'
import { featurePreviews, isReleased, planDenial } from './preview-list.ts'
import { setTelemetryFlags, track } from './telemetry.ts'

export function setPreview(key: string, enabled: boolean): void {
  localStorage.setItem(key, String(enabled))
  usePreviewFlags.setState({ [key]: enabled })
  track(enabled ? 'feature_preview_enabled' : 'feature_preview_disabled', { feature: key })
}

/** The previews that are released here, and why one of them cannot be switched on. */
export function useReleasedPreviews() {
  const { slug } = useWhere()
  const { data: flags = {} } = useQuery(flagsQuery(slug))
  const { data: organizations } = useQuery(organizationsQuery)
  const { data: platform } = useQuery(q(endpoints.status, {}))
  const plan = organizations?.find((organization) => organization.slug === slug)?.plan.id
  const gates = { flags, isPlatform: platform?.mode === 'platform' }
  return featurePreviews
    .filter((preview) => isReleased(preview, gates))
    .map((preview) => ({ ...preview, denial: planDenial(preview, plan) }))
}

/** `tries('new-storage-ui')`: released here, allowed by the plan, and switched on. Signed-in pages only. */
export function usePreviews(): (key: string) => boolean {
  const flags = usePreviewFlags()
  const released = useReleasedPreviews()
  return (key) => {
    const preview = released.find((one) => one.key === key)
    return (
      preview !== undefined &&
      preview.denial === undefined &&
      (flags[key] ?? preview.byDefault ?? false)
    )
  }
}

/** Whether the person tries this preview here. Signed-in pages only. */
export const usePreview = (key: string): boolean => usePreviews()(key)

/** All that decides whether a preview is on in a project, for loaders of pages that lead to one place or the other. */
export async function loadPreviews(ref: string, preload: boolean): Promise<void> {
  const { organization_slug } = await loadProject(ref, { preload })
  await Promise.all([
    queryClient.ensureQueryData(flagsQuery(organization_slug)),
    queryClient.ensureQueryData(organizationsQuery),
    queryClient.ensureQueryData(q(endpoints.status, {})),
  ])
}

/** The remote flags for the person in this organization (undefined above all of them). */
const flagsQuery = (slug: string | undefined) =>
  queryOptions({
    queryKey: [telemetryApi.featureFlags.name, { slug }],
    queryFn: async ({ signal }) => {
      const input = slug ? { organization_slug: slug } : {}
      const [values, { evaluate }] = await Promise.all([
        call(telemetryApi.featureFlags, input, { signal }),
        // Loaded when the first flag is asked for; few pages ask.
        import('./flag-client.ts'),
      ])
      const flags = await evaluate(values)
      setTelemetryFlags(flags)
      return flags
    },
    staleTime: 5 * 60_000,
  })
