import { userClaims, type Impersonation } from './impersonation.ts'
import { projectQuery } from '../../session/project/project.ts'
import { queryClient } from '../../api/client.ts'
import type { ProjectUser } from '#contract/data-api/impersonation'

let waiting: { ref: string; as: Impersonation } | undefined

/** The table that opens next is read as this user, as if they had just signed in. */
export async function lookAs(ref: string, user: ProjectUser, label: string): Promise<void> {
  const { endpoint } = await queryClient.ensureQueryData(projectQuery(ref))
  const token = {
    issuer: `${endpoint}/auth/v1`,
    now: new Date(),
    sessionId: crypto.randomUUID(),
    aal: 'aal1',
  } as const
  waiting = { ref, as: { role: 'authenticated', label, claims: userClaims(user, token) } }
}

/** As whom a table of this project is to be opened; `forgetLook` once it is. */
export const waitingLook = (ref: string): Impersonation | undefined =>
  waiting?.ref === ref ? waiting.as : undefined

export function forgetLook(): void {
  waiting = undefined
}
