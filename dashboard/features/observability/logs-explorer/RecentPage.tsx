import { useNavigate } from '@tanstack/react-router'
import { History, SquareTerminal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { addressable, explorerParams } from './explorer-params.ts'
import { forgetQueries, keepDraft, recentQueries, type KeptQuery } from './kept-queries.ts'
import './logs-explorer.css'

/** /project/{ref}/logs/explorer/recent: what ran in this browser. */
export function RecentPage({ projectRef }: { projectRef: string }) {
  const navigate = useNavigate()
  const [queries, setQueries] = useState(() => recentQueries(projectRef))
  const open = ({ sql, dialect }: KeptQuery) => {
    keepDraft(projectRef, { sql, dialect })
    const search = explorerParams({ q: addressable(sql), dialect })
    void navigate({ to: '/project/$ref/logs/explorer', params: { ref: projectRef }, search })
  }
  const clear = () => {
    forgetQueries(projectRef)
    setQueries([])
  }
  return (
    <Page>
      <PageHead
        title="Recent queries"
        help="Queries of logs that ran in this browser, the latest first. Nobody else sees them."
        actions={
          queries.length > 0 && (
            <Button icon={Trash2} onClick={clear}>
              Clear
            </Button>
          )
        }
      />
      {queries.length === 0 && (
        <EmptyState
          icon={History}
          title="No recent queries"
          action={
            <Button
              onClick={() =>
                void navigate({ to: '/project/$ref/logs/explorer', params: { ref: projectRef } })
              }
            >
              Open the explorer
            </Button>
          }
        >
          Queries appear here after they run.
        </EmptyState>
      )}
      <ul className="lx-cards" aria-label="Recent queries">
        {queries.map((query) => (
          <li key={`${query.dialect} ${query.sql}`} className="card">
            <p className="muted t12">
              Ran <Ago at={new Date(query.at).toISOString()} />
              {query.dialect === 'columns' && ', with one table'}
            </p>
            <CodeBlock code={query.sql} language="sql" what="query" />
            <Button icon={SquareTerminal} onClick={() => open(query)}>
              Open in the explorer
            </Button>
          </li>
        ))}
      </ul>
    </Page>
  )
}
