import { useNavigate } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'
import { SnippetSide } from './SnippetSide.tsx'
import type { Template } from './templates.ts'
import { templateGroups, type TemplateGroup } from './template-groups.ts'
import { useWorkspaceOf, WorkspaceContext } from '../use-workspace.ts'
import '../sql-editor.css'

type Props = { projectRef: string; group: TemplateGroup['id'] }

const words = {
  templates: {
    title: 'Templates',
    text: 'Statements and reports that open as your own queries.',
  },
  quickstarts: {
    title: 'Quickstarts',
    text: 'Starting points for an app: tables, policies and functions in one script.',
  },
}

/** Texts to begin with. */
export function TemplatesPage({ projectRef, group }: Props) {
  const workspace = useWorkspaceOf(projectRef)
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const needle = search.trim().toLowerCase()
  const all = templateGroups.find(({ id }) => id === group)?.templates ?? []
  const found = all.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(needle),
  )
  function open({ name, sql }: Template) {
    const query = workspace.queries.create({ name, sql })
    void query.save()
    void navigate({ to: '/project/$ref/sql/$id', params: { ref: projectRef, id: query.id } })
  }
  const { title, text } = words[group]
  return (
    <WorkspaceContext value={workspace}>
      <aside className="side sql-aside" aria-label="Saved queries">
        <SnippetSide current={undefined} />
      </aside>
      <main className="main sql-main" id="main">
        <div className="sql-templates scroll">
          <header>
            <h1>{title}</h1>
            <p className="muted">{text}</p>
          </header>
          <SearchField
            label={`Find in ${title.toLowerCase()}`}
            value={search}
            onChange={setSearch}
            width={320}
            keys={false}
          />
          {found.length === 0 && (
            <EmptyState
              icon={SquareTerminal}
              title="Nothing contains these words"
              action={<Button onClick={() => setSearch('')}>Show all</Button>}
            >
              Try another word.
            </EmptyState>
          )}
          <ul>
            {found.map((template) => (
              <li key={template.name} className="card">
                <h2>{template.name}</h2>
                <p className="muted">{template.description}</p>
                <CodeWell label={`SQL of ${template.name}`}>{template.sql}</CodeWell>
                <Button icon={SquareTerminal} onClick={() => open(template)}>
                  Open as a query
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </main>
    </WorkspaceContext>
  )
}
