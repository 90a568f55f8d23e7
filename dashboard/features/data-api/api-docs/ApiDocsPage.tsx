import { useQuery, useSuspenseQuery, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Download, FunctionSquare } from 'lucide-react'
import { projects } from '#contract/projects/projects'
import { databaseTools } from '#contract/database/database-tools'
import type { ApiFunction } from '#contract/projects/project-overview'
import { q } from '../../../api/client.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { databaseText } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Authentication, Introduction, Users } from './Chapters.tsx'
import { DocsNav, useChapters } from './DocsNav.tsx'
import { functionQuery, tableQuery, apiSchema } from './queries.ts'
import type { View, Resource } from './resource.ts'
import { ExampleList } from './ExampleList.tsx'
import { type Access, functionExamples } from './examples.ts'
import { TableDoc } from './TableDoc.tsx'
import './api-docs.css'

type Props = {
  projectRef: string
  view: View
  onView: (view: View) => void
  link: (entry: { name: string; to: string }) => ReactNode
}

/** /project/{ref}/api: how to use this very database through its data API. */
export function ApiDocsPage({ projectRef, view, onView, link }: Props) {
  const title = useTitleOf(projectRef, view.resource)
  return (
    <DocsNav
      projectRef={projectRef}
      resource={view.resource}
      onChoose={(resource) => onView({ ...view, resource })}
      link={link}
    >
      <Page width="list">
        <PageHead title={title} actions={<Choices view={view} onView={onView} />} />
        <Docs projectRef={projectRef} view={view} />
      </Page>
    </DocsNav>
  )
}

function useTitleOf(ref: string, resource: Resource): ReactNode {
  const chapters = useChapters()
  const id = 'id' in resource ? resource.id : 0
  const table = useQuery({ ...tableQuery(ref, id), enabled: resource.kind === 'table' })
  const fn = useQuery({ ...functionQuery(ref, id), enabled: resource.kind === 'function' })
  switch (resource.kind) {
    case 'table':
      return <span className="mono-title">{table.data?.name ?? 'Table'}</span>
    case 'function':
      return <span className="mono-title">{fn.data?.functions[0]?.name ?? 'Function'}</span>
    case 'introduction':
    case 'authentication':
    case 'users':
    case 'types':
      return chapters.find(({ to }) => to === resource.kind)?.name
  }
}

type ChoicesProps = { view: View; onView: (view: View) => void }

/** In which tongue and with which key the examples are written. */
export const Choices = ({ view, onView }: ChoicesProps) => (
  <>
    <Segmented
      label="Key in the examples"
      options={[
        { value: 'anon', label: 'anon' },
        { value: 'service', label: 'service' },
      ]}
      value={view.key}
      onChange={(key) => onView({ ...view, key })}
    />
    <Segmented
      label="Language of the examples"
      options={[
        { value: 'js', label: 'JavaScript' },
        { value: 'bash', label: 'Bash' },
      ]}
      value={view.language}
      onChange={(language) => onView({ ...view, language })}
    />
  </>
)

/** The documentation of one resource, for the page and for the panel. */
export function Docs({ projectRef, view }: { projectRef: string; view: View }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const settings = useQuery(q(projects.settings, { ref: projectRef }))
  const keyOf = (tag: string) =>
    settings.data?.service_api_keys.find(({ tags }) => tags === tag)?.api_key
  const [anonKey, serviceKey] = [keyOf('anon'), keyOf('service_role')]
  const key =
    view.key === 'anon' ? (anonKey ?? 'YOUR-ANON-KEY') : (serviceKey ?? 'YOUR-SERVICE-KEY')
  const access = { url: project.public_url, key }
  const { resource, language } = view
  return (
    <div className="docs">
      {view.key === 'service' && (
        <Callout type="danger" title="The service key passes every policy">
          Keep it on your servers. Anyone who has it can read and change everything.
        </Callout>
      )}
      {resource.kind === 'introduction' && <Introduction access={access} view={view} />}
      {resource.kind === 'authentication' && (
        <Authentication {...{ access, view, anonKey, serviceKey }} />
      )}
      {resource.kind === 'users' && <Users access={access} view={view} />}
      {resource.kind === 'types' && <TypesChapter projectRef={projectRef} />}
      {resource.kind === 'table' && (
        <TableDoc key={resource.id} id={resource.id} {...{ projectRef, access, language }} />
      )}
      {resource.kind === 'function' && (
        <FunctionDoc key={resource.id} id={resource.id} {...{ projectRef, access, language }} />
      )}
    </div>
  )
}

const use = [
  `import { createClient } from '@supabase/supabase-js'`,
  `import type { Database } from './database.types'`,
  ``,
  `const client = createClient<Database>(process.env.PROJECT_URL!, process.env.ANON_KEY!)`,
].join('\n')

/** TypeScript types of everything the data API serves, made from the database as it is now. */
function TypesChapter({ projectRef }: { projectRef: string }) {
  const make = useMutation({
    mutationFn: () =>
      databaseText(databaseTools.typescript, { ref: projectRef, included_schemas: apiSchema }),
    onSuccess: (text) => saveFile('database.types.ts', text, 'text/plain'),
  })
  return (
    <>
      <p>
        With types, your editor knows every table, column and function, and reports a query that
        cannot work before it runs. Generate them again after you change the schema.
      </p>
      <div>
        <Button
          variant="primary"
          icon={Download}
          busy={make.isPending}
          onClick={() => make.mutate()}
        >
          Download types
        </Button>
      </div>
      {make.error && <Alert variant="danger" title={make.error.message} />}
      <section className="doc-part">
        <h3>Pass them to the client</h3>
        <CodeBlock code={use} language="js" what="use of the types" />
      </section>
    </>
  )
}

type FunctionDocProps = {
  projectRef: string
  id: number
  access: Access
  language: View['language']
}

/** One function: what it takes and answers, and how a client calls it. */
function FunctionDoc({ projectRef, id, access, language }: FunctionDocProps) {
  const { data, error, refetch } = useQuery(functionQuery(projectRef, id))
  if (error && !data)
    return <ErrorNote what="function" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="60%" />
  const [found] = data.functions
  if (!found)
    return (
      <EmptyState icon={FunctionSquare} title="This function is gone">
        It was dropped, or created again with a new ID. Choose it in the list.
      </EmptyState>
    )
  return (
    <>
      <p className={found.comment ? undefined : 'muted'}>
        {found.comment ?? 'No description yet.'}
      </p>
      <p>
        Returns <span className="mono">{found.returns}</span>
        {found.volatility === 'VOLATILE' ? ' and may change data.' : ' and only reads.'}
      </p>
      <div className="card">
        <Table
          label={`Arguments of ${found.name}`}
          rowHeight={32}
          keyOf={({ name }: Argument) => name}
          rows={found.args}
          empty={<p className="options-note">It takes no arguments.</p>}
          columns={[
            {
              id: 'name',
              head: 'Argument',
              cell: ({ name }) => <span className="mono">{name}</span>,
            },
            {
              id: 'type',
              head: 'Type',
              cell: ({ type }) => <span className="mono muted">{type}</span>,
            },
            {
              id: 'needed',
              head: 'On call',
              cell: ({ optional }) => (
                <span className="muted">{optional ? 'has a default' : 'required'}</span>
              ),
            },
          ]}
        />
      </div>
      <ExampleList examples={functionExamples(found, access)} language={language} />
    </>
  )
}
type Argument = ApiFunction['args'][number]
