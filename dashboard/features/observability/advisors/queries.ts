import { advisors } from '#contract/observability/advisors'
import { q, queryClient } from '../../../api/client.ts'

export const lintsQuery = (ref: string) => q(advisors.lints, { ref })
export const exceptionsQuery = (ref: string) => q(advisors.exceptions, { ref })

/** What the routes of findings and of rules read ahead: looking takes a moment in a large database, and the page is there meanwhile. */
export function readFindings({ params: { ref } }: { params: { ref: string } }): void {
  void queryClient.prefetchQuery(lintsQuery(ref))
  void queryClient.prefetchQuery(exceptionsQuery(ref))
}
