import { advisors } from '#contract/observability/advisors'
import { q } from '../../../api/client.ts'

export const lintsQuery = (ref: string) => q(advisors.lints, { ref })
export const exceptionsQuery = (ref: string) => q(advisors.exceptions, { ref })
