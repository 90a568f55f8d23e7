import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Select } from '../../../ui/controls/Select.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Choices, Docs } from './ApiDocsPage.tsx'
import { useChapters } from './DocsNav.tsx'
import { functionsQuery, tablesQuery } from './queries.ts'
import { useApiDocsPanel } from './panel-param.ts'
import { type Resource, resourceOf, resourceText, searchOf, type View } from './resource.ts'

/** The documentation beside what one is doing, at the table that is open there. */
export function ApiDocsPanel({ projectRef, resource }: { projectRef: string; resource: Resource }) {
  const panel = useApiDocsPanel()
  const chapters = useChapters()
  const [choice, setChoice] = useState<Pick<View, 'language' | 'key'>>({
    language: 'js',
    key: 'anon',
  })
  const view: View = { ...choice, resource }
  const { data: tables } = useInfiniteQuery(tablesQuery(projectRef, ''))
  const { data: functions } = useInfiniteQuery(functionsQuery(projectRef, ''))
  const options = [
    ...chapters.map(({ name, to }) => ({ value: to, label: name })),
    ...(tables?.pages ?? []).flatMap(({ entities }) =>
      entities.map(({ id, name: label }) => ({
        value: `table-${id}`,
        label,
        group: 'Tables and views',
      })),
    ),
    ...(functions?.pages ?? []).flatMap((page) =>
      page.functions.map(({ id, name: label }) => ({
        value: `function-${id}`,
        label,
        group: 'Functions',
      })),
    ),
  ]
  return (
    <SidePanel
      open
      size="xlarge"
      title="API docs"
      onClose={panel.close}
      footer={
        <Link
          className="link"
          to="/project/$ref/api"
          params={{ ref: projectRef }}
          search={searchOf(view)}
        >
          Open the whole page
        </Link>
      }
    >
      <Select
        label="What about"
        options={options}
        value={resourceText(resource)}
        onChange={(text) => panel.turnTo(resourceOf(text))}
      />
      <div className="row docs-choices">
        <Choices view={view} onView={({ language, key }) => setChoice({ language, key })} />
      </div>
      <Docs projectRef={projectRef} view={view} />
    </SidePanel>
  )
}
