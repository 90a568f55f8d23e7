import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { SideNav } from '../../../ui/navigation/SideNav.tsx'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { functionsQuery, tablesQuery } from './queries.ts'
import { type Resource, resourceOf, resourceText } from './resource.ts'

type Entry = { name: string; to: string }

type Props = {
  projectRef: string
  resource: Resource
  onChoose: (resource: Resource) => void
  link: (entry: Entry) => ReactNode
  children: ReactNode
}

/** What there is to read about: the chapters, and every table and function, found by name and read a page at a time. */
export function DocsNav({ projectRef, resource, onChoose, link, children }: Props) {
  const [typed, setTyped] = useState('')
  const chapters = useChapters()
  const search = useDeferredValue(typed.trim())
  const tables = useInfiniteQuery(tablesQuery(projectRef, search))
  const functions = useInfiniteQuery(functionsQuery(projectRef, search))
  const current = resourceText(resource)
  const entities = tables.data?.pages.flatMap((page) => page.entities) ?? []
  const callable = functions.data?.pages.flatMap((page) => page.functions) ?? []
  const groups = [
    { entries: chapters },
    {
      title: 'Tables and views',
      entries: entities.map(({ id, name }) => ({ name, to: `table-${id}` })),
    },
    {
      title: 'Functions',
      entries: callable.map(({ id, name }) => ({ name, to: `function-${id}` })),
    },
  ].filter(({ entries }) => entries.length > 0)
  const failed = tables.error ?? functions.error
  return (
    <SideNav<Entry>
      title="API docs"
      groups={groups}
      current={current}
      link={link}
      onChoose={(to) => onChoose(resourceOf(to))}
      top={
        <div className="docs-search">
          <SearchField
            label="Find a table or function"
            value={typed}
            onChange={setTyped}
            width={216}
          />
          {failed && <p className="t12 tone-danger">{failed.message}</p>}
          {search !== '' && tables.data && entities.length + callable.length === 0 && (
            <p className="t12 muted">Nothing has this name.</p>
          )}
          <More of="tables" query={tables} />
          <More of="functions" query={functions} />
        </div>
      }
    >
      {children}
    </SideNav>
  )
}

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

const More = ({ of, query }: { of: string; query: Paged }) =>
  query.hasNextPage ? (
    <Button
      variant="ghost"
      busy={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      Show more {of}
    </Button>
  ) : null

type Chapter = { name: string; to: string }

const chapters: Chapter[] = [
  { name: 'Introduction', to: 'introduction' },
  { name: 'Authentication', to: 'authentication' },
  { name: 'User management', to: 'users' },
  { name: 'TypeScript types', to: 'types' },
]

/** What there is to read besides tables and functions. */
export function useChapters(): Chapter[] {
  const off = useDisabledFeatures()
  return chapters.filter(({ to }) => to !== 'users' || !off('sdk:auth'))
}
