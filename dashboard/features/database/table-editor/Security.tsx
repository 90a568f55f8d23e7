import { Link } from '@tanstack/react-router'
import { LockOpen, Plus, ShieldCheck } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'

type Props = { projectRef: string; entity: EntityDetail }

/** Who may see the rows: a warning, or the way to the policies. */
export function Security({ projectRef, entity }: Props) {
  const { policies, rls_enabled: secured, schema, name } = entity
  if (!secured)
    return (
      <Badge tone="warning" icon={LockOpen}>
        Row level security off
      </Badge>
    )
  const words = policies === 1 ? '1 policy' : `${policies} policies`
  return (
    <Link
      className="badge policies-link"
      to="/project/$ref/auth/policies"
      params={{ ref: projectRef }}
      search={{ schema, find: name }}
    >
      <Icon of={policies === 0 ? Plus : ShieldCheck} />
      {policies === 0 ? 'Add policy' : words}
    </Link>
  )
}
