import { Trash2 } from 'lucide-react'
import type { ThirdPartyAuth } from '#contract/auth/third-party-auth'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { titleOf } from './parties.ts'

type Parts = {
  /** Why the reader may not remove one. */
  reason: string | undefined
  onRemove: (party: ThirdPartyAuth) => void
}

export const partyColumns = ({ reason, onRemove }: Parts): Column<ThirdPartyAuth>[] => [
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
