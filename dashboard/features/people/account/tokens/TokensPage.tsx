import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AccessToken } from '#contract/people/access-tokens'
import { accessTokens } from '#contract/people/access-tokens'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../../ui/lists/Table.tsx'
import { CopyText } from '../../../../ui/text/CopyText.tsx'
import { tokensQuery } from '../queries.ts'
import { useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
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
  const revoke = useCall(accessTokens.remove, {
    changes: [accessTokens.list],
    onSuccess: () => {
      onClose()
      toast.success(`${name} is revoked`)
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

type Values = { name: string; day: string }

/** Name and end of a new token, then the token itself, once. */
function NewTokenDialog(props: { open: boolean; onClose: () => void }) {
  return props.open ? <OpenNewTokenDialog onClose={props.onClose} /> : null
}

function OpenNewTokenDialog({ onClose }: { onClose: () => void }) {
  const [expiry, setExpiry] = useState<Expiry>('30d')
  const [today] = useState(() => dayOf(new Date()))
  const { register, handleSubmit, formState } = useForm<Values>({
    defaultValues: { name: '', day: '' },
  })
  const create = useCall(accessTokens.create, {
    changes: [accessTokens.list],
  })
  if (create.data) return <TokenShown token={create.data.token} onClose={onClose} />

  function submit({ name, day }: Values) {
    const end = expiresAt(expiry, day)
    create.mutate({ name: name.trim(), ...(end ? { expires_at: end.toISOString() } : {}) })
  }
  const { errors } = formState
  return (
    <FormDialog
      title="New access token"
      verb="Create token"
      error={create.error?.message}
      pending={create.isPending}
      onSubmit={handleSubmit(submit)}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Name"
          autoComplete="off"
          help="Say what it is for, such as the name of a script."
          error={errors.name?.message}
          {...register('name', {
            validate: (name) => {
              if (!name.trim()) return 'Enter a name'
              return name.trim().length <= 64 || 'At most 64 characters'
            },
          })}
        />
        <SelectField label="Expires after" options={expiries} value={expiry} onChange={setExpiry} />
        {expiry === 'custom' && (
          <TextField
            label="Last day"
            type="date"
            min={today}
            error={errors.day?.message}
            {...register('day', {
              validate: (day) => day >= today || 'Choose today or a later day',
            })}
          />
        )}
        {expiry === 'never' && (
          <Alert variant="warning" title="It works until you revoke it">
            A token that expires does less harm if someone else gets hold of it.
          </Alert>
        )}
      </div>
    </FormDialog>
  )
}

/** The one time that a token is shown. */
function TokenShown({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your new access token"
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form-stack">
        <Alert variant="warning" title="Copy it now">
          You will not see it again. We store only what we need to verify it.
        </Alert>
        <CopyText text={token} what="access token" />
      </div>
    </Dialog>
  )
}

const hour = 3600_000
const day = 24 * hour

export const expiries = [
  { value: '1h', label: '1 hour', ms: hour },
  { value: '1d', label: '1 day', ms: day },
  { value: '7d', label: '7 days', ms: 7 * day },
  { value: '30d', label: '30 days', ms: 30 * day },
  { value: 'custom', label: 'Custom date', ms: undefined },
  { value: 'never', label: 'Never', ms: undefined },
] as const
type Expiry = (typeof expiries)[number]['value']

/** Today as a date field writes it, in the person's own zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

/**
 * When a token made now ends; undefined: never. A chosen day is included: the token ends with it, in the person's own
 * zone.
 */
export function expiresAt(expiry: Expiry, chosenDay: string, now = new Date()): Date | undefined {
  if (expiry === 'custom') return new Date(`${chosenDay}T23:59:59.999`)
  const { ms } = expiries.find(({ value }) => value === expiry) ?? {}
  return ms === undefined ? undefined : new Date(now.getTime() + ms)
}
