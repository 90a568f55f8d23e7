import { useQuery } from '@tanstack/react-query'
import { Lock, Plus, RotateCw, SearchX } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import {
  maxVaultSecrets,
  vault,
  type VaultKey,
  type VaultSecret,
} from '#contract/integrations/vault'
import { call, messageOf, useCall } from '../../../api/client.ts'
import { EnableCard } from '../../../modules/integrations/EnableCard.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { ofVault, usesQuery, vaultQuery } from './queries.ts'
import { nameOf, RemoveSecret, SecretPanel } from './SecretPanel.tsx'
import { UsesPanel } from './UsesPanel.tsx'
import { bySecret } from './use-words.ts'
import { vaultColumns } from './vault-columns.tsx'
import '../../../ui/lists/list-page.css'
import './vault.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }
type Doing = { what: 'add' } | { what: 'edit' | 'remove' | 'uses'; secret: VaultSecret }

/** /project/{ref}/integrations/vault: secrets that the database keeps encrypted. */
export function VaultPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(vaultQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const { shown, asking, reveal, hide } = useReveal(projectRef)
  const { data, error } = query
  const found = useQuery({ ...usesQuery(projectRef), enabled: data?.installed === true })
  // What cannot be found out is said where it matters: before a secret is deleted.
  const uses = found.data && bySecret(found.data.uses)
  const closed = data?.secrets.filter(({ opens }) => !opens).length ?? 0
  const words = search.trim().toLowerCase()
  const rows = data?.secrets.filter((secret) =>
    `${nameOf(secret)} ${secret.description}`.toLowerCase().includes(words),
  )
  const add = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={denied(vault.create)}
      onClick={() => setDoing({ what: 'add' })}
    >
      Add secret
    </Button>
  )
  const close = () => setDoing(undefined)
  return (
    <Page>
      <PageHead
        title="Vault"
        help="Secrets that this database keeps encrypted and reads in SQL."
        actions={
          data?.installed && (
            <>
              <SearchField label="Find a secret" value={search} onChange={onSearch} />
              {add}
            </>
          )
        }
      />
      {error && !data && (
        <ErrorNote what="Secrets" error={error} onRetry={() => void query.refetch()} />
      )}
      {data && !data.installed && !data.available && <NotOnServer />}
      {data && !data.installed && data.available && (
        <EnableCard
          projectRef={projectRef}
          icon={Lock}
          name="Vault"
          title="Vault is not enabled yet"
          extension="supabase_vault"
          done="Vault is enabled"
          changes={ofVault}
        >
          Enabling it creates the extension <code>supabase_vault</code>, in the schema{' '}
          <code>vault</code>, in this database. Migrations that create it enable it too.
        </EnableCard>
      )}
      {closed > 0 && (
        <div className="vault-closed">
          <Alert
            variant="warning"
            title={closed === 1 ? 'One secret does not open' : `${closed} secrets do not open`}
          >
            A key that this project does not have encrypted {closed === 1 ? 'it' : 'them'}, such as
            the key of the project that a backup came from. Set{' '}
            {closed === 1 ? 'a new value' : 'new values'}.
          </Alert>
        </div>
      )}
      {data?.secrets.length === maxVaultSecrets && (
        <Alert
          variant="info"
          title={`The first ${maxVaultSecrets} secrets are listed. Read the others in SQL.`}
        />
      )}
      {(data?.installed || (!data && !error)) && (
        <Table
          label="Secrets"
          rowHeight={60}
          columns={vaultColumns({
            shown,
            asking,
            uses: uses ?? (found.error ? 'unknown' : undefined),
            why: {
              reveal: denied(vault.reveal),
              change: denied(vault.update),
              remove: denied(vault.remove),
            },
            onReveal: ({ id }) => void reveal(id),
            onHide: hide,
            onUses: (secret) => setDoing({ what: 'uses', secret }),
            onEdit: (secret) => setDoing({ what: 'edit', secret }),
            onRemove: (secret) => setDoing({ what: 'remove', secret }),
          })}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            words ? (
              <EmptyState icon={SearchX} title="No secret matches">
                No name and no description contains “{search.trim()}”.
              </EmptyState>
            ) : (
              <EmptyState icon={Lock} title="No secrets yet" action={add}>
                Store API keys and passwords here, and read them in functions, triggers and webhooks
                from <code>vault.decrypted_secrets</code>.
              </EmptyState>
            )
          }
        />
      )}
      {data?.installed && data.key && <KeyCard projectRef={projectRef} vaultKey={data.key} />}
      {(doing?.what === 'add' || doing?.what === 'edit') && (
        <SecretPanel
          projectRef={projectRef}
          secret={doing.what === 'edit' ? doing.secret : undefined}
          usedIn={doing.what === 'edit' ? (uses?.get(doing.secret.id)?.length ?? 0) : 0}
          names={data?.secrets.flatMap(({ name }) => name ?? []) ?? []}
          onClose={() => {
            // What is shown may not be so any more.
            hide()
            close()
          }}
        />
      )}
      {doing?.what === 'uses' && (
        <UsesPanel
          projectRef={projectRef}
          secret={doing.secret}
          uses={uses?.get(doing.secret.id) ?? []}
          onClose={close}
        />
      )}
      {doing?.what === 'remove' && (
        <RemoveSecret projectRef={projectRef} secret={doing.secret} onClose={close} />
      )}
    </Page>
  )
}

/** A server that someone else runs may not have it. */
const NotOnServer = () => (
  <div className="card">
    <EmptyState icon={Lock} title="Vault is not on this server">
      The server of this database is run by its operator. Install the extension{' '}
      <code>supabase_vault</code> there to use Vault.
    </EmptyState>
  </div>
)

/** After this a value is hidden again. */
const shownMs = 30_000

type Shown = { id: string; value: string }

/**
 * One value at a time, for half a minute and while somebody looks. It is in this state alone, and in no cache: the next look asks
 * for it again, and is written down again.
 */
function useReveal(projectRef: string) {
  const [shown, setShown] = useState<Shown>()
  const [asking, setAsking] = useState<string>()
  /** Answers to what was asked before are late. */
  const latest = useRef(0)
  const hide = () => {
    latest.current += 1
    setShown(undefined)
    setAsking(undefined)
  }
  useEffect(() => {
    if (!shown) return undefined
    const away = () => document.visibilityState === 'hidden' && setShown(undefined)
    const timer = setTimeout(() => setShown(undefined), shownMs)
    document.addEventListener('visibilitychange', away)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', away)
    }
  }, [shown])
  async function reveal(id: string): Promise<void> {
    hide()
    const mine = latest.current
    setAsking(id)
    try {
      const { value } = await call(vault.reveal, { ref: projectRef, id })
      if (mine === latest.current) setShown({ id, value })
    } catch (error) {
      if (mine === latest.current) toast.error(messageOf(error))
    } finally {
      if (mine === latest.current) setAsking(undefined)
    }
  }
  return { shown, asking, reveal, hide }
}

type KeyCardProps = { projectRef: string; vaultKey: VaultKey }

/** With which key the secrets are encrypted, since when, and the change to another. */
function KeyCard({ projectRef, vaultKey }: KeyCardProps) {
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState(false)
  const rotate = useCall(vault.rotate, {
    changes: ofVault,
    onSuccess: () => {
      setAsking(false)
    },
  })
  const { rotating, failure, former } = vaultKey
  const go = () => rotate.mutate({ ref: projectRef })
  return (
    <div className="vault-key-card">
      <Card title="Encryption key">
        {failure !== null && (
          <Alert
            variant="warning"
            title="The rotation did not finish"
            action={
              <Button busy={rotate.isPending} disabledReason={denied(vault.rotate)} onClick={go}>
                Finish rotation
              </Button>
            }
          >
            {failure}. Every secret still opens.
          </Alert>
        )}
        <div className="vault-key">
          <div className="two-lines">
            <p className="mono t12">{vaultKey.id}</p>
            <p className="muted t12">
              In use since {exactTime(new Date(vaultKey.made_at))}. It is stored outside of the
              database and its backups.
              {former > 0 &&
                ` ${former} earlier ${former === 1 ? 'key is' : 'keys are'} kept for backups.`}
            </p>
          </div>
          <Button
            icon={RotateCw}
            busy={rotating}
            disabledReason={
              denied(vault.rotate) ??
              (failure === null ? undefined : 'Finish the last rotation first')
            }
            onClick={() => setAsking(true)}
          >
            {rotating ? 'Rotating' : 'Rotate key'}
          </Button>
        </div>
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title="Rotate the encryption key"
          verb="Rotate key"
          danger={false}
          error={rotate.error?.message}
          pending={rotate.isPending}
          onConfirm={go}
        >
          <p>
            All secrets are encrypted again with a new key. They can be read all the time; writing
            waits for a moment.
          </p>
          <p>
            Encrypted values that you have copied out of <code>vault.secrets</code> no longer open
            afterwards. Backups of this project still do when you restore them here.
          </p>
        </ConfirmDialog>
      </Card>
    </div>
  )
}
