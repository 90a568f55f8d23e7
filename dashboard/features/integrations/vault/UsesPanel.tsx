import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { VaultSecret, VaultUse } from '#contract/integrations/vault'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { nameOf } from './SecretPanel.tsx'
import { kindOf, noteOf, placeOf } from './use-words.ts'

type Props = {
  projectRef: string
  secret: VaultSecret
  uses: readonly VaultUse[]
  onClose: () => void
}

/** What in the database names a secret, each with the way to its page. */
export function UsesPanel({ projectRef, secret, uses, onClose }: Props) {
  const columns: Column<VaultUse>[] = [
    { id: 'kind', head: 'Kind', width: '140px', sortBy: kindOf, cell: kindOf },
    {
      id: 'place',
      head: 'Name',
      sortBy: placeOf,
      cell: (use) => (
        <div className="two-lines">
          <UseLink projectRef={projectRef} use={use} />
          {noteOf(use) && <span className="muted t12">{noteOf(use)}</span>}
        </div>
      ),
    },
  ]
  return (
    <SidePanel open size="large" title={`Where ${nameOf(secret)} is used`} onClose={onClose}>
      <p className="muted">
        Database objects whose SQL names this secret. SQL that puts the name together when it runs,
        and code outside of the database, are not found.
      </p>
      <Table
        label={`Uses of ${nameOf(secret)}`}
        columns={columns}
        rowHeight={60}
        rows={uses}
        keyOf={(use) => [use.kind, use.schema, use.owner, use.name, use.through].join('\n')}
        empty={
          <EmptyState icon={SearchX} title="Nothing names this secret">
            No cron job, webhook, function, view, policy or foreign server contains its name or ID.
          </EmptyState>
        }
      />
    </SidePanel>
  )
}

function UseLink({ projectRef, use }: { projectRef: string; use: VaultUse }) {
  const words = <span className="mono ell">{placeOf(use)}</span>
  const { schema, name } = use
  const params = { ref: projectRef }
  const find = { schema: schema ?? 'public', find: name }
  switch (use.kind) {
    case 'cron':
      return (
        <Link
          className="link"
          to="/project/$ref/integrations/cron"
          params={params}
          search={{ q: name }}
        >
          {words}
        </Link>
      )
    case 'webhook':
      return (
        <Link
          className="link"
          to="/project/$ref/integrations/webhooks"
          params={params}
          search={find}
        >
          {words}
        </Link>
      )
    case 'trigger':
      return (
        <Link className="link" to="/project/$ref/database/triggers" params={params} search={find}>
          {words}
        </Link>
      )
    case 'function':
      return (
        <Link className="link" to="/project/$ref/database/functions" params={params} search={find}>
          {words}
        </Link>
      )
    case 'policy':
      return (
        <Link
          className="link"
          to="/project/$ref/auth/policies"
          params={params}
          search={{ schema: find.schema, find: use.owner ?? '' }}
        >
          {words}
        </Link>
      )
    case 'server':
    case 'mapping':
    case 'foreign_table':
      return (
        <Link className="link" to="/project/$ref/integrations/wrappers" params={params}>
          {words}
        </Link>
      )
    case 'event_trigger':
    case 'view':
    case 'default':
      return words
  }
}
