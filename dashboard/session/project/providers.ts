import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from '../../api/http.ts'

/** Another place where people can sign in, as GitHub. */
export type Provider = { name: string; label: string }

type Settings = { external?: Record<string, unknown>; external_labels?: Record<string, unknown> }

/** Ways to sign in that are no place of their own, though the list names them too. */
const own = new Set(['email', 'phone', 'anonymous_users'])
const known: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', google: 'Google' }

/** The places that are switched on, GitHub first, then as people read them. */
export function providersOf({ external = {}, external_labels: labels = {} }: Settings): Provider[] {
  return Object.entries(external)
    .filter(([name, on]) => on === true && !own.has(name))
    .map(([name]) => ({ name, label: labelOf(name, labels[name]) }))
    .toSorted(
      (a, b) =>
        Number(b.name === 'github') - Number(a.name === 'github') || a.label.localeCompare(b.label),
    )
}

const labelOf = (name: string, label: unknown): string =>
  typeof label === 'string' && label ? label : (known[name] ?? name)

const settingsQuery = queryOptions({
  queryKey: ['auth.settings'],
  queryFn: async ({ signal }): Promise<Settings> => {
    const response = await send({ method: 'GET', path: '/auth/v1/settings', signal })
    // The shape of the auth protocol; what is not in it is left out when it is read.
    return (await response.json()) as Settings
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Where else one can sign in here; none until that is known. */
export function useProviders(): Provider[] {
  const { data } = useQuery(settingsQuery)
  return data ? providersOf(data) : []
}
