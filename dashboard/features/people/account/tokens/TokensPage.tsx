import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AccessToken } from '#contract/people/access-tokens'
import { api } from '#contract/api'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Table } from '../../../../ui/lists/Table.tsx'
import { tokensQuery } from '../account-queries.ts'
import { forget, useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import { tokenColumns } from './token-columns.tsx'
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
