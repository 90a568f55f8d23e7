import type { OpenInvitation } from '#contract/organizations/invitations'
import { CallError } from '../../../api/call-error.ts'

/** What /join shows. */
export type JoinState =
  | { is: 'incomplete' | 'unknown' | 'expired' | 'member' }
  | { is: 'signed-out' | 'wrong-address' | 'valid'; invitation: OpenInvitation }

type Found = { invitation: OpenInvitation } | { error: unknown }

/**
 * What to show for an invitation, or for what reading it failed of. `email`: of who is signed in; `slugs`: of their
 * organizations. Throws the error that says nothing about the invitation.
 */
export function joinState(
  slug: string,
  found: Found,
  email: string | undefined,
  slugs: readonly string[],
): JoinState {
  // Also when the link has been used: most likely by them.
  if (slugs.includes(slug)) return { is: 'member' }
  if ('error' in found) {
    const { error } = found
    if (!(error instanceof CallError)) throw error
    if (error.reason === 'invitation_expired') return { is: 'expired' }
    if (error.code === 404 || error.code === 400) return { is: 'unknown' }
    throw error
  }
  const { invitation } = found
  if (email === undefined) return { is: 'signed-out', invitation }
  if (email.toLowerCase() !== invitation.invited_email) return { is: 'wrong-address', invitation }
  return { is: 'valid', invitation }
}
