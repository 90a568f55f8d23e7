import { useQuery } from '@tanstack/react-query'
import { IdCard, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  maxThirdParties,
  thirdPartyAuth,
  type ThirdPartyAuth,
} from '#contract/auth/third-party-auth'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { problemsIn, type Party, otherIssuer, parties, titleOf } from './parties.ts'
import { OtherIssuerDialog } from './OtherIssuerDialog.tsx'
import { thirdPartiesQuery, useAdd } from './queries.ts'

/** /project/{ref}/auth/third-party: issuers besides the project's own auth service whose tokens it takes. */
export function ThirdPartyPage({ projectRef }: { projectRef: string }) {
  const query = useQuery(thirdPartiesQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [adding, setAdding] = useState<Choice>()
  const [removing, setRemoving] = useState<ThirdPartyAuth>()
  const close = () => setAdding(undefined)
  const full = query.data && query.data.length >= maxThirdParties
  const reason =
    denied(thirdPartyAuth.create) ??
    (full ? `A project has at most ${maxThirdParties} integrations` : undefined)
  const add = <AddMenu reason={reason} onChoose={setAdding} />
  return (
    <Page>
      <PageHead
        title="Third-party auth"
        help="Issuers other than this project whose tokens the Data API and GraphQL accept."
        actions={add}
      />
      <div className="sections">
        <Card title="Integrations" padded={false}>
          <Table
            label="Integrations"
            columns={partyColumns({ reason: denied(thirdPartyAuth.remove), onRemove: setRemoving })}
            rows={query.data}
            keyOf={({ id }) => id}
            rowHeight={60}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState icon={IdCard} title="No integrations yet" action={add}>
                Add the service that your users already sign in with, and its tokens work here.
              </EmptyState>
            }
          />
        </Card>
        <Card title="How tokens are used">
          <div className="form-stack muted">
            <p>
              Its claim <span className="mono">role</span> is the role of the request, such as{' '}
              <span className="mono">authenticated</span>. Without this claim the request runs as{' '}
              <span className="mono">anon</span>. The role{' '}
              <span className="mono">service_role</span> is refused.
            </p>
            <p>
              Policies read every claim with <span className="mono">auth.jwt()</span>. Users of
              other services do not appear on the Users page.
            </p>
            <p>
              The keys of an issuer are read again every ten minutes, and when a token names an
              unknown key. Tokens signed with RS256, ES256 or EdDSA are accepted if they expire.
            </p>
          </div>
        </Card>
      </div>
      {adding === 'custom' && <OtherIssuerDialog projectRef={projectRef} onClose={close} />}
      {adding && adding !== 'custom' && (
        <KnownPartyDialog projectRef={projectRef} party={adding} onClose={close} />
      )}
      {removing && (
        <RemoveDialog
          projectRef={projectRef}
          party={removing}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Page>
  )
}

type Choice = Party | 'custom'
type AddMenuProps = { reason: string | undefined; onChoose: (choice: Choice) => void }

/** Whose tokens are to be taken. */
function AddMenu({ reason, onChoose }: AddMenuProps) {
  if (reason)
    return (
      <Button variant="primary" icon={Plus} disabledReason={reason}>
        Add integration
      </Button>
    )
  return (
    <Menu
      label="Add integration"
      align="end"
      trigger={
        <Button variant="primary" icon={Plus}>
          Add integration
        </Button>
      }
    >
      {parties.map((party) => (
        <MenuItem key={party.type} onSelect={() => onChoose(party)}>
          {party.title}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => onChoose('custom')}>{otherIssuer.title}</MenuItem>
    </Menu>
  )
}

type RemoveDialogProps = { projectRef: string; party: ThirdPartyAuth; onClose: () => void }

function RemoveDialog({ projectRef, party, onClose }: RemoveDialogProps) {
  const title = titleOf(party.type)
  const remove = useCall(thirdPartyAuth.remove, {
    changes: [thirdPartyAuth.list],
    onSuccess: () => {
      onClose()
      toast.success(`${title} is removed`)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${title}?`}
      verb="Remove integration"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, tpa_id: party.id })}
    >
      <p>
        Tokens of <span className="mono">{party.oidc_issuer_url ?? 'these keys'}</span> are refused
        from their next request on. Users who are signed in there lose the data at once.
      </p>
    </ConfirmDialog>
  )
}

type Props = { projectRef: string; party: Party; onClose: () => void }

/** The few facts by which the issuer of a well-known service is found. */
function KnownPartyDialog({ projectRef, party, onClose }: Props) {
  const [filled, setFilled] = useState<Record<string, string>>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const add = useAdd(onClose)

  function submit() {
    const trimmed = Object.fromEntries(
      Object.entries(filled).map(([name, text]) => [name, text.trim()]),
    )
    const found = problemsIn(party, trimmed)
    setProblems(found)
    if (Object.keys(found).length === 0)
      add.mutate({ ref: projectRef, oidc_issuer_url: party.issuerOf(trimmed) })
  }
  return (
    <FormDialog
      title={`Add ${party.title}`}
      verb="Add integration"
      pending={add.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="form-stack">
        <p className="muted">{party.about}.</p>
        {party.blanks.map(({ name, label, help, placeholder }) => (
          <TextField
            key={name}
            label={label}
            help={help}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            error={problems[name]}
            value={filled[name] ?? ''}
            onChange={(event) => {
              setFilled({ ...filled, [name]: event.target.value })
              setProblems({})
            }}
          />
        ))}
        <p className="help">{party.there} Without it, requests run as anon.</p>
        {add.error && <Alert variant="danger" title={add.error.message} />}
      </div>
    </FormDialog>
  )
}

type Parts = {
  /** Why the reader may not remove one. */
  reason: string | undefined
  onRemove: (party: ThirdPartyAuth) => void
}

const partyColumns = ({ reason, onRemove }: Parts): Column<ThirdPartyAuth>[] => [
  {
    id: 'type',
    head: 'Service',
    width: '140px',
    sortBy: ({ type }) => titleOf(type),
    cell: ({ type }) => <span className="med">{titleOf(type)}</span>,
  },
  {
    id: 'issuer',
    head: 'Issuer',
    sortBy: ({ oidc_issuer_url: issuer }) => issuer ?? '',
    cell: ({ oidc_issuer_url: issuer, jwks_url: address }) => (
      <>
        {issuer === null ? (
          <span className="muted">Any issuer</span>
        ) : (
          <span className="row">
            <span className="mono ell">{issuer}</span>
            <CopyButton text={issuer} what="issuer" />
          </span>
        )}
        {address !== null && <span className="choice-help mono ell">{address}</span>}
      </>
    ),
  },
  {
    id: 'keys',
    head: 'Keys',
    width: '220px',
    wideOnly: true,
    cell: ({ resolved_jwks: found, resolved_at: at, custom_jwks: own }) => (
      <>
        {keysOf(found?.keys ?? [])}
        <span className="choice-help">
          {own ? 'entered here' : 'found when it was added'} {at && <Time at={at} />}
        </span>
      </>
    ),
  },
  {
    id: 'remove',
    head: 'Remove',
    hideHead: true,
    numeric: true,
    width: '48px',
    cell: (party) => (
      <IconButton
        icon={Trash2}
        label={`Remove ${titleOf(party.type)}`}
        disabledReason={reason}
        onClick={() => onRemove(party)}
      />
    ),
  },
]

/** `2 keys (RS256)` */
function keysOf(keys: readonly Record<string, unknown>[]): string {
  const ways = [...new Set(keys.map(({ alg }) => String(alg)))].join(', ')
  return `${keys.length} ${keys.length === 1 ? 'key' : 'keys'} (${ways})`
}
