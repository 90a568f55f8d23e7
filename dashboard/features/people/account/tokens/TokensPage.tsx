import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AccessToken } from '#contract/people/access-tokens'
import { api } from '#contract/api'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../../ui/lists/Table.tsx'
import { tokensQuery } from '../queries.ts'
import { forget, useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import '../account.css'

/** /account/tokens */
export function TokensPage() {
  const tokens = useQuery(tokensQuery)
  const [typed, setTyped] = useState('')
  const [making, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<AccessToken>()
  const search = typed.trim().toLowerCase()
  const shown = tokens.data?.filter(({ name }) => name.toLowerCase().includes(search))
  const make = (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      New access token
    </Button>
  )
  const none = tokens.data?.length === 0
  return (
    <Page width="list">
      <PageHead
        title="Access tokens"
        help="Scripts and command line tools use them to act with your permissions."
        actions={
          !none && (
            <>
              <SearchField label="Find a token" value={typed} onChange={setTyped} />
              {make}
            </>
          )
        }
      />
      <div className="card">
        <Table
          label="Access tokens"
          columns={tokenColumns(setLeaving)}
          rows={shown}
          keyOf={({ id }) => String(id)}
          rowHeight={60}
          error={tokens.error}
          onRetry={() => void tokens.refetch()}
          empty={
            none ? (
              <EmptyState icon={KeyRound} title="No access tokens yet" action={make}>
                Create one for a script, for continuous integration, or for the command line.
              </EmptyState>
            ) : (
              <EmptyState icon={SearchX} title="No token found">
                None has “{typed.trim()}” in its name.
              </EmptyState>
            )
          }
        />
      </div>
      <NewTokenDialog open={making} onClose={() => setMaking(false)} />
      {leaving && <RevokeTokenDialog token={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

type RevokeTokenDialogProps = { token: AccessToken; onClose: () => void }

function RevokeTokenDialog({ token: { id, name }, onClose }: RevokeTokenDialogProps) {
  const revoke = useCall(api.accessTokens.remove, {
    onSuccess: async () => {
      onClose()
      toast.success(`${name} is revoked`)
      await forget(api.accessTokens.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${name}?`}
      verb="Revoke token"
      error={revoke.error?.message}
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id })}
    >
      <p>Anything that uses it is refused from its next request. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

const isOver = (at: string) => Date.parse(at) <= Date.now()

const tokenColumns = (onRevoke: (token: AccessToken) => void): Column<AccessToken>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, token_alias: alias }) => (
      <>
        <span className="med ell">{name}</span>
        <span className="choice-help">
          <span className="mono">{alias}</span>
        </span>
      </>
    ),
  },
  {
    id: 'used',
    head: 'Last used',
    wideOnly: true,
    width: '140px',
    sortBy: ({ last_used_at: at }) => (at ? Date.parse(at) : 0),
    cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : <span className="faint">Never</span>),
  },
  {
    id: 'expires',
    head: 'Expires',
    width: '140px',
    sortBy: ({ expires_at: at }) => (at ? Date.parse(at) : Number.MAX_SAFE_INTEGER),
    cell: ({ expires_at: at }) => {
      if (!at) return <span className="faint">Never</span>
      return isOver(at) ? <Badge tone="warning">Expired</Badge> : <Time at={at} />
    },
  },
  {
    id: 'created',
    head: 'Created',
    width: '140px',
    wideOnly: true,
    sortBy: ({ created_at: at }) => Date.parse(at),
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    id: 'revoke',
    head: 'Actions',
    hideHead: true,
    width: '96px',
    numeric: true,
    cell: (token) => (
      <Button aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
        Revoke
      </Button>
    ),
  },
]
