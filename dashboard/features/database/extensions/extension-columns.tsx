import { ExternalLink } from 'lucide-react'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { ProductLink } from './ProductLink.tsx'
import type { ExtensionRow, ExtensionState } from './extension-rows.ts'
import type { ExtensionReasons } from './use-extension-reasons.ts'

type Parts = {
  projectRef: string
  reasons: ExtensionReasons
  onEnable: (row: ExtensionRow) => void
  onDisable: (row: ExtensionRow) => void
}

export const extensionColumns = ({
  projectRef,
  reasons,
  onEnable,
  onDisable,
}: Parts): Column<ExtensionRow>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (row) => (
      <div className="two-lines">
        <span className="row">
          {row.link ? (
            <a className="mono link" href={row.link} target="_blank" rel="noreferrer">
              {row.name}
              <Icon of={ExternalLink} size="xs" />
            </a>
          ) : (
            <span className="mono">{row.name}</span>
          )}
          {row.deprecated.map((since) => (
            <Badge key={since} tone="warning">
              Removed in {since}
            </Badge>
          ))}
          <span className="narrow-only t12 muted">{words[row.state]}</span>
          <ProductLink projectRef={projectRef} product={row.product} url={row.product_url} />
        </span>
        <span className="muted ell" title={row.comment}>
          {row.comment}
        </span>
      </div>
    ),
  },
  {
    id: 'tags',
    head: 'Tags',
    width: '200px',
    wideOnly: true,
    sortBy: ({ tags }) => tags[0] ?? null,
    cell: ({ tags }) => <span className="muted">{tags.join(', ')}</span>,
  },
  {
    id: 'version',
    head: 'Version',
    width: '90px',
    wideOnly: true,
    cell: ({ extension }) => (
      <span className="mono">
        {extension?.installed_version ?? extension?.default_version ?? ''}
      </span>
    ),
  },
  {
    id: 'schema',
    head: 'Schema',
    width: '120px',
    wideOnly: true,
    sortBy: ({ extension }) => extension?.schema ?? null,
    cell: ({ extension }) => <span className="mono">{extension?.schema ?? ''}</span>,
  },
  {
    id: 'state',
    head: 'State',
    width: '190px',
    wideOnly: true,
    sortBy: ({ state }) => order.indexOf(state),
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'act',
    head: 'Action',
    hideHead: true,
    width: '96px',
    numeric: true,
    cell: (row) => <Act row={row} reasons={reasons} onEnable={onEnable} onDisable={onDisable} />,
  },
]

const words: Record<ExtensionState, string> = {
  enabled: 'Enabled',
  available: 'Available',
  operator: 'Kept for the operator',
  absent: 'Not available on this server',
}
const order: ExtensionState[] = ['enabled', 'available', 'operator', 'absent']

function StateBadge({ state }: { state: ExtensionState }) {
  switch (state) {
    case 'enabled':
      return (
        <Badge tone="success" dot>
          {words[state]}
        </Badge>
      )
    case 'available':
      return <Badge dot>{words[state]}</Badge>
    case 'operator':
      return <Badge>{words[state]}</Badge>
    case 'absent':
      return <span className="faint">{words[state]}</span>
  }
}

function Act({
  row,
  reasons,
  onEnable,
  onDisable,
}: Omit<Parts, 'projectRef'> & { row: ExtensionRow }) {
  if (row.state === 'absent') return null
  if (row.extension && row.state === 'enabled') {
    return (
      <Button disabledReason={reasons.disable(row.extension)} onClick={() => onDisable(row)}>
        Disable
      </Button>
    )
  }
  return (
    <Button disabledReason={reasons.enable(row)} onClick={() => onEnable(row)}>
      Enable
    </Button>
  )
}
