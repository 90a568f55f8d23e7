import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { members } from '#contract/organizations/members'
import { useCall } from '../../../api/client.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import {
  accessOf,
  bodyOf,
  changesBetween,
  incomplete,
  type Line,
  rolesIn,
  type MemberRow,
} from './access.ts'
import { AccessFields } from './AccessFields.tsx'
import { forgetTeam } from './queries.ts'
import { useRoleChoice } from './use-role-choice.ts'

type Props = { slug: string; member: MemberRow; onClose: () => void }

/** What one member may do, in the organization or in each of its projects, and what would change. */
export function AccessPanel({ slug, member, onClose }: Props) {
  const choice = useRoleChoice(slug)
  const [before] = useState(() => accessOf(member))
  const [access, setAccess] = useState(before)
  const changes = changesBetween(before, access)
  const save = useCall(members.update, {
    onSuccess: async () => {
      toast.success(`The access of ${member.primary_email} is changed`)
      onClose()
      await forgetTeam()
    },
  })
  const refusal = rolesIn(access)
    .map((role) => choice.giving(role))
    .find((reason) => reason !== undefined)
  return (
    <FormPanel
      title={`Access of ${member.primary_email}`}
      size="large"
      verb="Save access"
      disabled={changes.length === 0}
      reason={incomplete(access) ?? choice.taking(member) ?? refusal}
      pending={save.isPending}
      onSubmit={() => save.mutate({ slug, gotrue_id: member.gotrue_id, ...bodyOf(access) })}
      onClose={onClose}
    >
      <AccessFields
        slug={slug}
        choice={choice}
        access={access}
        onAccess={setAccess}
        mixed={choice.perProject === 'custom'}
      />
      <Changes lines={changes} />
      {save.error && (
        <p className="err" role="alert">
          {save.error.message}
        </p>
      )}
    </FormPanel>
  )
}

function Changes({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <section className="field" aria-label="What changes">
      <h3 className="label">What changes</h3>
      <ul className="lost changes">
        {lines.map(({ where, before, after }) => (
          <li key={where}>
            <span className="grow ell">{where}</span>
            <span className="muted">{before}</span>
            <Icon of={ArrowRight} size="s" />
            <span className="sr">becomes</span>
            <span>{after}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
