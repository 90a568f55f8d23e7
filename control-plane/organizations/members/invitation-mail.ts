import { invitationHours } from '#contract/organizations/invitations'
import type { RoleName } from '#contract/permissions'

type Invited = {
  /** Where this platform is reached; never taken from a request. */
  url: string
  to: string
  token: string
  organization: { name: string; slug: string }
  invitedBy: string
  role: RoleName
  /** Names; null: the whole organization. */
  projects: readonly string[] | null
}

const special: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => special[sign] ?? sign)

/** Where the invitation is accepted. */
export const joinLink = (url: string, slug: string, token: string) =>
  `${url}/join?${new URLSearchParams({ token, slug }).toString()}`

/** The mail of an invitation. What people chose (names, addresses) is text in it, never markup. */
export function invitationMail({
  url,
  to,
  token,
  organization,
  invitedBy,
  role,
  projects,
}: Invited) {
  const link = joinLink(url, organization.slug, token)
  const where = projects ? `${organization.name} (${projects.join(', ')})` : organization.name
  const lines = [
    `${invitedBy} invites you to join ${where} on Plinth as ${role}.`,
    `The invitation is for ${to} and can be accepted within ${invitationHours} hours.`,
  ]
  const ignore = 'If you did not expect this email, you can ignore it.'
  return {
    to,
    subject: `Join ${organization.name} on Plinth`,
    text: [...lines, link, ignore].join('\n\n'),
    html: [
      ...lines.map((line) => `<p>${escape(line)}</p>`),
      `<p><a href="${escape(link)}">Accept the invitation</a></p>`,
      `<p>${ignore}</p>`,
    ].join('\n'),
  }
}
