import { queryOptions, useQuery } from '@tanstack/react-query'
import { telemetry as api } from '#contract/operations/telemetry'
import { call } from '../../api/client.ts'
import { setTelemetryFlags } from './telemetry.ts'
import { useWhere } from '../project/where.ts'

/** The remote flags for the person in this organization (undefined above all of them). */
export const flagsQuery = (slug: string | undefined) =>
  queryOptions({
    queryKey: [api.featureFlags.name, { slug }],
    queryFn: async ({ signal }) => {
      const input = slug ? { organization_slug: slug } : {}
      const [values, { evaluate }] = await Promise.all([
        call(api.featureFlags, input, { signal }),
        // Loaded when the first flag is asked for; few pages ask.
        import('./flag-client.ts'),
      ])
      const flags = await evaluate(values)
      setTelemetryFlags(flags)
      return flags
    },
    staleTime: 5 * 60_000,
  })

/** Whether a remote flag is on here; false until it is known, and for one that nobody has made. Signed-in pages only. */
export function useFlag(key: string): boolean {
  const { slug } = useWhere()
  const { data } = useQuery(flagsQuery(slug))
  return data?.[key] ?? false
}
