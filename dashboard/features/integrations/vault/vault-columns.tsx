import { Eye, EyeOff, Pencil, Trash2 } from 'lucide-react'
import type { VaultSecret, VaultUse } from '#contract/integrations/vault'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { nameOf } from './SecretPanel.tsx'
import { countText } from './use-words.ts'

type Actions = {
  /** The one whose value is shown. */
  shown: { id: string; value: string } | undefined
  asking: string | undefined
  /** What uses each of them, by its id; undefined until that is known. */
  uses: ReadonlyMap<string, readonly VaultUse[]> | 'unknown' | undefined
  /** Why nothing can be revealed, or changed. */
  why: { reveal: string | undefined; change: string | undefined; remove: string | undefined }
  onReveal: (secret: VaultSecret) => void
  onHide: () => void
  onUses: (secret: VaultSecret) => void
  onEdit: (secret: VaultSecret) => void
  onRemove: (secret: VaultSecret) => void
}

export const vaultColumns = (actions: Actions): Column<VaultSecret>[] => [
  {
    id: 'name',
    head: 'Name',
    width: '40%',
    sortBy: nameOf,
    cell: (secret) => (
      <div className="two-lines">
        <span className="mono ell">{nameOf(secret)}</span>
        <span className="muted t12 ell">{secret.description}</span>
        {usesOf(actions.uses, secret.id).length > 0 && (
          <span className="narrow-only t12">
            <Uses secret={secret} {...actions} />
          </span>
        )}
      </div>
    ),
  },
  { id: 'value', head: 'Value', cell: (secret) => <Value secret={secret} {...actions} /> },
  {
    id: 'uses',
    head: 'Used in',
    width: '120px',
    wideOnly: true,
    sortBy: ({ id }) => usesOf(actions.uses, id).length,
    cell: (secret) => <Uses secret={secret} {...actions} />,
  },
  {
    id: 'updated',
    head: 'Updated',
    width: '130px',
    wideOnly: true,
    sortBy: ({ updated_at: at }) => at,
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '84px',
    cell: (secret) => (
      <div className="row-actions">
        <IconButton
          icon={Pencil}
          label={`Change ${nameOf(secret)}`}
          disabledReason={actions.why.change}
          onClick={() => actions.onEdit(secret)}
        />
        <IconButton
          icon={Trash2}
          label={`Delete ${nameOf(secret)}`}
          disabledReason={actions.why.remove}
          onClick={() => actions.onRemove(secret)}
        />
      </div>
    ),
  },
]

const usesOf = (uses: Actions['uses'], id: string): readonly VaultUse[] =>
  (uses === 'unknown' ? undefined : uses?.get(id)) ?? []

function Uses({ secret, uses, onUses }: Actions & { secret: VaultSecret }) {
  if (!uses) return <span className="muted">…</span>
  if (uses === 'unknown') return <span className="muted">Unknown</span>
  const count = usesOf(uses, secret.id).length
  if (count === 0) return <span className="muted">Nothing found</span>
  return (
    <button
      type="button"
      className="link"
      aria-label={`${nameOf(secret)} is used in ${countText(count)}`}
      onClick={() => onUses(secret)}
    >
      {countText(count)}
    </button>
  )
}

function Value({
  secret,
  shown,
  asking,
  why,
  onReveal,
  onHide,
}: Actions & { secret: VaultSecret }) {
  if (!secret.opens) return <Badge tone="warning">Does not open</Badge>
  const value = shown?.id === secret.id ? shown.value : undefined
  return (
    <div className="vault-value">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long value scrolls in its box */}
      <span className="mono t12" tabIndex={value === undefined ? undefined : 0}>
        {value ?? '••••••'}
      </span>
      {value !== undefined && <CopyButton text={value} what={nameOf(secret)} />}
      <IconButton
        icon={value === undefined ? Eye : EyeOff}
        label={`${value === undefined ? 'Reveal' : 'Hide'} ${nameOf(secret)}`}
        aria-pressed={value !== undefined}
        busy={asking === secret.id}
        disabledReason={why.reveal}
        onClick={() => (value === undefined ? onReveal(secret) : onHide())}
      />
    </div>
  )
}
