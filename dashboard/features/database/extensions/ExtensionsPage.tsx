import { useQuery } from '@tanstack/react-query'
import { Puzzle } from 'lucide-react'
import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { extensionCatalogue, extensionTags } from '#contract/database/extensions'
import { pgMeta } from '#contract/database/pg-meta'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { askToDisable, DisableWords } from './DisableWords.tsx'
import { EnablePanel } from './EnablePanel.tsx'
import { extensionColumns } from './extension-columns.tsx'
import {
  extensionRows,
  matchingRows,
  type ExtensionFilter,
  type ExtensionRow,
} from './extension-rows.ts'
import { extensionsQuery } from './queries.ts'
import { useExtensionReasons } from './use-extension-reasons.ts'
import '../../../ui/lists/list-page.css'

type Props = {
  projectRef: string
  filter: ExtensionFilter
  onFilter: (filter: ExtensionFilter) => void
}

/** /project/{ref}/database/extensions */
export function ExtensionsPage({ projectRef, filter, onFilter }: Props) {
  const query = useQuery(extensionsQuery(projectRef))
  const [enabling, setEnabling] = useState<ExtensionRow>()
  const { ask, dialog } = useReview(projectRef, databaseObjects.extensions, pgMeta.schemas)
  const reasons = useExtensionReasons(projectRef)
  const rows = query.data && extensionRows(extensionCatalogue, query.data)
  const columns = extensionColumns({
    projectRef,
    reasons,
    onEnable: setEnabling,
    onDisable: (row) =>
      row.extension && ask(askToDisable(row.extension, <DisableWords extension={row.extension} />)),
  })
  return (
    <Page>
      <PageHead
        title="Extensions"
        help="Extensions for this database, and which of them this server has."
      />
      <div className="narrow-bar">
        <SearchField
          label="Find an extension"
          value={filter.q ?? ''}
          onChange={(q) => onFilter({ ...filter, q })}
        />
        <Segmented
          label="State"
          value={filter.state ?? 'all'}
          options={[
            { value: 'all', label: 'All' },
            { value: 'enabled', label: 'Enabled' },
            { value: 'available', label: 'Available' },
            { value: 'unavailable', label: 'Not available' },
          ]}
          onChange={(state) => onFilter({ ...filter, state: state === 'all' ? undefined : state })}
        />
        <div className="narrow-select">
          <Select
            label="Tag"
            size="tool"
            value={filter.tag ?? 'every'}
            options={[
              { value: 'every', label: 'Every tag' },
              ...extensionTags.map((tag) => ({ value: tag as string, label: tag })),
            ]}
            onChange={(tag) => onFilter({ ...filter, tag: tag === 'every' ? undefined : tag })}
          />
        </div>
      </div>
      <div className="card">
        <Table
          label="Extensions"
          columns={columns}
          rows={rows && matchingRows(rows, filter)}
          keyOf={({ name }) => name}
          rowHeight={60}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState
              icon={Puzzle}
              title="No extension found"
              action={<Button onClick={() => onFilter({})}>Show all</Button>}
            >
              No extension matches these words, this tag and this state.
            </EmptyState>
          }
        />
      </div>
      {enabling?.extension && (
        <EnablePanel
          key={enabling.name}
          projectRef={projectRef}
          extension={enabling.extension}
          offered={query.data ?? []}
          onClose={() => setEnabling(undefined)}
        />
      )}
      {dialog}
    </Page>
  )
}
