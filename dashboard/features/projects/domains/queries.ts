import { queryOptions } from '@tanstack/react-query'
import { billing } from '#contract/billing/billing'
import { projects } from '#contract/projects/projects'
import { domains, type Domains } from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'
import { q, queryClient, useCall } from '../../../api/client.ts'

/** Milliseconds until the next look: at records that are awaited, or at a certificate that is on its way. */
function lookAgainMs(custom: Domains['custom']): number | false {
  if (!custom) return false
  if (custom.status !== 'active') return 15_000
  const { certificate } = custom
  if (!certificate) return false
  if (certificate.state === 'issuing' || certificate.next_at === null) return 3000
  return certificate.failure === null ? false : 15_000
}

/** The names of a project. While something is awaited, how far it has come is asked for again and again. */
export const domainsQuery = (ref: string) =>
  queryOptions({
    ...q(domains.get, { ref }),
    refetchInterval: ({ state: { data } }) => lookAgainMs(data?.custom ?? null),
  })

type Changing = (typeof domains)[
  | 'initialize'
  | 'reverify'
  | 'activate'
  | 'retryCertificate'
  | 'remove'
  | 'activateVanity'
  | 'removeVanity']

/** A change of the names of a project, which answers with how they are then. */
export const useChangeNames = <E extends Changing>(endpoint: E, ref: string, onDone?: () => void) =>
  useCall<E>(endpoint, {
    // All of these endpoints answer with this.
    onAnswer: (answer) => queryClient.setQueryData(domainsQuery(ref).queryKey, answer as Domains),
    // The addresses that other pages show follow.
    changes: [projects.detail, projects.settings],
    onSuccess: () => onDone?.(),
  })

/** What reads whether the add-on is enabled: it is a line of the next invoice as well. */
export const ofAddOn = [
  domains.get,
  projects.detail,
  billing.projectAddOns,
  billing.subscription,
  billing.invoiceUpcoming,
]

/** What every card of this page is about. */
export type NamesProps = { project: Project; domains: Domains }
