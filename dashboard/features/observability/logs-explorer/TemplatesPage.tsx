import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SquareTerminal, TextSearch } from 'lucide-react'
import { logTemplates } from '#contract/observability/log-templates'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { explorerParams } from './explorer-params.ts'
import './logs-explorer.css'

/** /project/{ref}/logs/explorer/templates: queries to begin with. */
export function TemplatesPage({ projectRef }: { projectRef: string }) {
  const isOff = useDisabledFeatures()
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const found = logTemplates.filter(
    ({ name, about, feature }) =>
      !(feature && isOff(feature)) && `${name} ${about}`.toLowerCase().includes(needle),
  )
  return (
    <Page>
      <PageHead
        title="Templates"
        help="Queries of logs to begin with. Each opens in the explorer and runs."
      />
      <SearchField label="Find in templates" value={search} onChange={setSearch} width={320} />
      {found.length === 0 && (
        <EmptyState
          icon={TextSearch}
          title="No templates found"
          action={<Button onClick={() => setSearch('')}>Show all</Button>}
        >
          No template contains these words.
        </EmptyState>
      )}
      <ul className="lx-cards">
        {found.map(({ id, name, about, sql }) => (
          <li key={id} className="card">
            <h2>{name}</h2>
            <p className="muted">{about}</p>
            <CodeBlock code={sql} language="sql" what={`SQL of ${name}`} />
            <Link
              to="/project/$ref/logs/explorer"
              params={{ ref: projectRef }}
              search={explorerParams({ q: sql })}
              className={buttonClass({})}
              aria-label={`Open ${name} in the explorer`}
            >
              <Icon of={SquareTerminal} /> Open in the explorer
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  )
}
