import { Link } from '@tanstack/react-router'
import { ExternalLink, Puzzle } from 'lucide-react'
import { databaseObjects } from '#contract/database/database-objects'
import type { Extension } from '#contract/database/database-object-shapes'
import { extensionCatalogue, extensionTags } from '#contract/database/extensions'
import { changeExtension } from '#contract/ddl/extensions'
import { extensionsQuery } from '../../../modules/objects/lists.ts'
import { noneFound, type Place, type Resource } from '../../../modules/objects/list/resource.tsx'
import type { Asked } from '../../../modules/objects/ReviewChange.tsx'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { DisableDialog, EnableForm, ofExtensions } from './ExtensionForms.tsx'
import {
  extensionRows,
  matchingRows,
  updateOf,
  type ExtensionRow,
  type ExtensionState,
} from './extension-rows.ts'

/** /project/{ref}/database/extensions */
export const extensions: Resource<ExtensionRow, undefined, Extension[]> = {
  title: 'Extensions',
  help: 'Extensions for this database, and which of them this server has.',
  icon: Puzzle,
  within: 'database',
  find: { label: 'Find an extension', name: 'q' },
  choices: [
    {
      name: 'state',
      label: 'State',
      options: [
        { value: 'all', label: 'On this server' },
        { value: 'enabled', label: 'Enabled' },
        { value: 'available', label: 'Available' },
        { value: 'absent', label: 'Missing' },
      ],
    },
    {
      name: 'tag',
      label: 'Tag',
      options: [
        { value: 'all', label: 'Every tag' },
        ...extensionTags.map((tag) => ({ value: tag as string, label: tag })),
      ],
    },
  ],
  query: extensionsQuery,
  rowsOf: (data) => extensionRows(extensionCatalogue, data),
  keyOf: ({ name }) => name,
  narrow: (rows, { search }) => matchingRows(rows, search),
  columns: extensionColumns,
  rowHeight: 60,
  empty: (place) =>
    noneFound(
      place,
      'No extension found',
      'No extension matches these words, this tag and this state.',
    ),
  needs: databaseObjects.createExtension,
  forgets: ofExtensions,
  below: (place) => <HowToAdd place={place} />,
}

function extensionColumns(place: Place<ExtensionRow>): Column<ExtensionRow>[] {
  const { projectRef } = place
  return [
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
      width: '176px',
      numeric: true,
      cell: (row) => <Act row={row} place={place} />,
    },
  ]
}

const words: Record<ExtensionState, string> = {
  enabled: 'Enabled',
  available: 'Available',
  operator: 'Kept for the operator',
  absent: 'Not on this server',
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

/** Enables or disables it, or says why that cannot be. */
function Act({ row, place }: { row: ExtensionRow; place: Place<ExtensionRow> }) {
  const { projectRef, denied, ask, open, close } = place
  const { extension, state } = row
  if (state === 'absent') return null
  if (extension && state === 'enabled') {
    const kept = `${row.name} came with the server: only its operator can change it`
    const reason = denied ?? (extension.may_change ? undefined : kept)
    const newest = updateOf(row)
    return (
      <span className="row-acts">
        {newest !== undefined && (
          <Button disabledReason={reason} onClick={() => ask(askToUpdate(extension, newest))}>
            Update
          </Button>
        )}
        <Button
          disabledReason={reason}
          onClick={() =>
            open(() => (
              <DisableDialog projectRef={projectRef} extension={extension} onClose={close} />
            ))
          }
        >
          Disable
        </Button>
      </span>
    )
  }
  const enable = (one: Extension) =>
    open(({ rows = [] }) => (
      <EnableForm
        projectRef={projectRef}
        extension={one}
        offered={rows.flatMap((other) => other.extension ?? [])}
        onClose={close}
      />
    ))
  return (
    <Button
      disabledReason={denied ?? unavailable(state)}
      onClick={() => extension && enable(extension)}
    >
      Enable
    </Button>
  )
}

function unavailable(state: ExtensionState): string | undefined {
  switch (state) {
    case 'operator':
      return 'It reaches beyond this database, so only the server operator can enable it'
    case 'absent':
      return 'This server does not have it installed'
    case 'available':
    case 'enabled':
      return undefined
  }
}

const askToUpdate = (extension: Extension, newest: string): Asked => ({
  change: changeExtension(extension, { version: newest }),
  title: `Update ${extension.name} to ${newest}`,
  verb: 'Update extension',
  done: `${extension.name} is updated`,
  children: (
    <p>
      Version {extension.installed_version} is installed. Postgres has no way back to an older
      version.
    </p>
  ),
})

/** One line for what is not in the list. */
function HowToAdd({ place }: { place: Place<ExtensionRow> }) {
  const { rows = [], search, onSearch } = place
  const missing = rows.filter(({ state }) => state === 'absent').length
  if (missing === 0) return null
  return (
    <p className="muted page-tail">
      {search['state'] !== 'absent' && (
        <>
          <button
            type="button"
            className="link"
            onClick={() => onSearch({ ...search, state: 'absent' })}
          >
            Show {missing} known extensions that are not on this server
          </button>
          .{' '}
        </>
      )}
      The operator can add one that is built for PostgreSQL 17:{' '}
      <code className="mono">npx plinth extensions add FILE.deb</code>
    </p>
  )
}

type LinkProps = { projectRef: string; product: string | null; url: string | null }

/** The part of the product that an extension is for, where this build has a page for it. */
function ProductLink({ projectRef, product, url }: LinkProps) {
  const has = useHasRoute()
  if (!product || !url || !has(url.replace('{ref}', '$ref'))) return null
  return (
    <Link className="link t12" to={url.replace('{ref}', projectRef)}>
      {product}
    </Link>
  )
}
